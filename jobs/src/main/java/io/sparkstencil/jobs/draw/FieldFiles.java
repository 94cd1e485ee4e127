/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.draw;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.cells.FieldLabels;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** The cells of fields before the first step that are those of files. */
final class FieldFiles {
  private final Map<String, String> paths;
  private final Collection<String> raw;
  private final Configuration hadoop;

  /**
   * Checks the names.
   *
   * @param paths by the names of fields
   * @param raw the fields whose files are read as their numbers are stored
   */
  FieldFiles(Map<String, String> paths, Collection<String> raw, Configuration hadoop) {
    for (String field : raw) {
      if (!paths.containsKey(field)) {
        throw new InvalidStencilException(
            "--raw %s: the cells of %s are those of no file; give one by --cells %s=PATH"
                .formatted(field, field, field));
      }
    }
    this.paths = paths;
    this.raw = raw;
    this.hadoop = hadoop;
  }

  private FieldReader open(String field) {
    String path = paths.get(field);
    return raw.contains(field) ? FieldPaths.openRaw(path, hadoop) : FieldPaths.open(path, hadoop);
  }

  /** Returns the cells of the first file along both axes. */
  Optional<List<Integer>> extent() {
    return paths.keySet().stream()
        .findFirst()
        .map(
            field -> {
              try (FieldReader reader = open(field)) {
                return reader.shape().stream().map(Math::toIntExact).toList();
              }
            });
  }

  /** Reads all files, which have the extent of the grid. */
  Map<String, Object> read(ElementType type, Extent extent) {
    Map<String, Object> cells = new LinkedHashMap<>();
    List<Long> shape = extent.sizes().stream().map(Integer::longValue).toList();
    for (String field : paths.keySet()) {
      try (FieldReader reader = open(field)) {
        if (!reader.shape().equals(shape)) {
          throw new InvalidStencilException(
              "--cells %s=%s has %s cells, and the grid has %s; use a file of the grid's extent%s"
                  .formatted(
                      field, paths.get(field), reader.shape(), shape, orSlice(field, reader)));
        }
        cells.put(field, reader.read(Box.whole(extent), type));
      }
    }
    return cells;
  }

  /** Counts the cells that are NaN, by the fields that have any. */
  static Map<String, Long> missing(Map<String, Object> cells) {
    Map<String, Long> missing = new LinkedHashMap<>();
    cells.forEach(
        (field, array) -> {
          long found = 0;
          if (array instanceof double[] doubles) {
            found = Arrays.stream(doubles).filter(Double::isNaN).count();
          } else if (array instanceof float[] floats) {
            for (float each : floats) {
              found += Float.isNaN(each) ? 1 : 0;
            }
          }
          if (found > 0) {
            missing.put(field, found);
          }
        });
    return missing;
  }

  private String orSlice(String field, FieldReader reader) {
    return FieldPaths.slice(reader, 2)
        .map(slice -> ", or a slice, %s%s".formatted(paths.get(field), slice))
        .orElse("");
  }

  /** Returns what the file of a field says, or else the first file; nothing without one. */
  FieldLabels labels(String field) {
    return Stream.concat(Stream.of(field).filter(paths::containsKey), paths.keySet().stream())
        .findFirst()
        .map(name -> FieldPaths.labels(paths.get(name), raw.contains(name), hadoop))
        .orElse(FieldLabels.ofAxes(List.of()));
  }

  /** Says what was done to the numbers of files, by fields. */
  Map<String, String> decodings() {
    Map<String, String> said = new LinkedHashMap<>();
    for (String field : paths.keySet()) {
      try (FieldReader reader = open(field)) {
        reader.decoding().ifPresent(words -> said.put(field, words));
      }
    }
    return said;
  }
}
