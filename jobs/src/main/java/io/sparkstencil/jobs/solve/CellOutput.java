/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.cells.FieldLabels;
import io.sparkstencil.spark.files.paths.FieldPaths;
import io.sparkstencil.spark.files.zarr.ZarrDataset;
import io.sparkstencil.spark.grid.StencilGrid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** Writes the cells of fields, in slabs along the first axis. */
final class CellOutput {
  /** The most cells that are written at once. */
  private static final long SLAB_CELLS = 1 << 24;

  /** Tiles have at least as many rows, so that a slab has no less, whatever its columns. */
  private static final long TILE_ROWS = 16;

  private static final Pattern RASTER = Pattern.compile("(?i)\\.tiff?$");

  private final Problem problem;
  private final StencilGrid grid;
  private final Configuration hadoop;

  /** Writes cells of a grid. */
  CellOutput(Problem problem, StencilGrid grid, Configuration hadoop) {
    this.problem = problem;
    this.grid = grid;
    this.hadoop = hadoop;
  }

  /** Returns whole planes; those of a raster are whole tiles, of which one is the least. */
  private Extent slab(boolean raster) {
    List<Long> shape = problem.shape();
    long most = SLAB_CELLS / shape.stream().skip(1).reduce(1L, Math::multiplyExact);
    long unit = most >= 256 ? 256 : TILE_ROWS;
    long rows = raster ? Math.max(TILE_ROWS, most / unit * unit) : Math.max(1, most);
    List<Integer> sizes = new ArrayList<>(shape.stream().map(Math::toIntExact).toList());
    sizes.set(0, (int) Math.min(shape.get(0), rows));
    return new Extent(sizes);
  }

  /** Makes sure, before any step, that the format has room for the cells. */
  static void requireShape(String path, List<Long> shape) {
    if (path == null || !RASTER.matcher(path).find()) {
      return;
    }
    if (shape.size() != 2) {
      throw new InvalidStencilException(
          "--output %s: a raster has two axes, and the grid has %d; write .npy or .zarr"
              .formatted(path, shape.size()));
    }
    long most = Integer.MAX_VALUE / TILE_ROWS - 1;
    if (shape.get(1) > most) {
      throw new InvalidStencilException(
          "--output %s: the grid has %d columns, and a raster is written with at most %d; write .npy or .zarr"
              .formatted(path, shape.get(1), most));
    }
  }

  /** Writes the shown field. A raster lies where the first cells of it did, or of another field. */
  void writeShown(String path) {
    Map<String, FieldLabels> files = problem.labels(hadoop);
    Map<String, Object> attributes = new LinkedHashMap<>();
    files.values().forEach(labels -> labels.attributes().forEach(attributes::putIfAbsent));
    if (files.containsKey(problem.shown())) {
      attributes.putAll(files.get(problem.shown()).attributes());
    }
    Extent slab = slab(RASTER.matcher(path).find());
    write(
        problem.shown(),
        slab,
        FieldPaths.create(path, grid.type(), problem.shape(), slab, attributes, hadoop));
  }

  /** Writes all updated fields with the names of their axes, coordinates and attributes. */
  void writeDataset(String path, int version) {
    Extent slab = slab(false);
    ZarrDataset dataset = ZarrDataset.create(path, version, hadoop);
    try {
      List<String> fields =
          problem.program().fields().subList(0, problem.program().updates().size());
      Map<String, FieldLabels> files = problem.labels(hadoop);
      FieldLabels axes = problem.axes(files);
      for (String field : fields) {
        Map<String, Object> attributes =
            files.containsKey(field) ? files.get(field).attributes() : Map.of();
        FieldLabels labels = new FieldLabels(axes.dimensionNames(), attributes, Map.of());
        write(field, slab, dataset.field(field, grid.type(), problem.shape(), slab, labels));
      }
      axes.coordinates()
          .forEach(
              (axis, coordinate) -> {
                if (!fields.contains(axis) && ZarrDataset.isName(axis)) {
                  dataset.coordinate(axis, coordinate);
                }
              });
      dataset.complete(
          Map.of("source", "Spark Stencil, %s".formatted(problem.name()), "steps", grid.steps()));
    } catch (RuntimeException e) {
      dataset.abort();
      throw e;
    }
  }

  private void write(String field, Extent slab, FieldWriter writer) {
    List<Long> shape = problem.shape();
    try {
      List<Long> start = new ArrayList<>(shape.stream().map(size -> 0L).toList());
      List<Long> end = new ArrayList<>(shape);
      for (long from = 0; from < shape.get(0); from += slab.size(0)) {
        start.set(0, from);
        end.set(0, Math.min(shape.get(0), from + slab.size(0)));
        Box box = Box.between(start, end);
        writer.write(box, grid.read(field, box), hadoop);
      }
      writer.commit(hadoop);
    } catch (RuntimeException e) {
      writer.abort(hadoop);
      throw e;
    }
  }
}
