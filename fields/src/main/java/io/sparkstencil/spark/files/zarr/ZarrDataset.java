/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.cells.FieldLabels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * A Zarr group as xarray opens it: fields over the same axes, their coordinates, attributes, and
 * the metadata of all of these in one place. Cells that are not written are NaN.
 */
public final class ZarrDataset {
  private final StoredFile folder;
  private final int version;
  private final Configuration hadoop;
  private final Map<String, ZarrLayout> arrays = new LinkedHashMap<>();

  private ZarrDataset(StoredFile folder, int version, Configuration hadoop) {
    this.folder = folder;
    this.version = version;
    this.hadoop = hadoop;
  }

  /**
   * Begins a dataset. Nobody can open it before {@link #complete}.
   *
   * @param path a folder that does not exist, or is empty
   * @param version 3, or 2 for readers that know no other
   * @throws FieldFileException if the folder has content, or the version is another
   */
  public static ZarrDataset create(String path, int version, Configuration hadoop) {
    if (version != 2 && version != 3) {
      throw FieldFileException.wrongCall(
          "version %d of Zarr is not written; use 2 or 3".formatted(version));
    }
    StoredFile folder = StoredFile.of(path, hadoop);
    if (!folder.list().isEmpty() || folder.isFile()) {
      throw FieldFileException.wrongCall(
          "%s exists already; remove it, or choose another path".formatted(folder));
    }
    return new ZarrDataset(folder, version, hadoop);
  }

  /**
   * Begins a field, whose writer the caller commits.
   *
   * @param labels the names of its axes, and its attributes
   * @param boxes the cells of the boxes that tasks write
   */
  public FieldWriter field(
      String name, ElementType type, List<Long> shape, Extent boxes, FieldLabels labels) {
    ZarrLayout layout =
        ZarrLayout.ofBoxes(type, shape, boxes)
            .withFill(Double.NaN)
            .withDimensionNames(labels.dimensionNames())
            .withAttributes(labels.attributes());
    return begin(name, version == 2 ? layout.inVersion2() : layout);
  }

  /** Returns whether an array can have this name. */
  public static boolean isName(String name) {
    return name.matches("[\\p{L}\\p{N}_ -][\\p{L}\\p{N}_. -]*");
  }

  private FieldWriter begin(String name, ZarrLayout layout) {
    if (!isName(name) || arrays.containsKey(name)) {
      throw FieldFileException.wrongCall(
          "\"%s\" is not the name of another array; use letters, digits, _, - and ."
              .formatted(name));
    }
    arrays.put(name, layout);
    return ZarrWriter.begin(folder.child(name), layout);
  }

  /** Writes the coordinates along an axis, an array of the axis's name. */
  public void coordinate(String axis, FieldLabels.Coordinate coordinate) {
    double[] values = coordinate.values();
    FieldLabels labels = new FieldLabels(List.of(axis), coordinate.attributes(), Map.of());
    FieldWriter writer =
        field(
            axis, ElementType.F64, List.of((long) values.length), Extent.of(values.length), labels);
    writer.write(Box.whole(Extent.of(values.length)), values, hadoop);
    writer.commit(hadoop);
  }

  /**
   * Makes the dataset one that readers open, after all fields are committed.
   *
   * @param attributes of the dataset: strings, numbers, truth values, lists and maps, by name
   */
  public void complete(Map<String, Object> attributes) {
    Map<String, Object> all = new LinkedHashMap<>();
    if (version == 2) {
      Map<String, Object> group = Map.of("zarr_format", 2);
      all.put(Version2.ATTRIBUTES_FILE, attributes);
      all.put(Version2.GROUP_FILE, group);
      arrays.forEach(
          (name, layout) ->
              layout.metadata().forEach((file, document) -> all.put(name + "/" + file, document)));
      folder.child(Version2.ATTRIBUTES_FILE).writeWhole(ZarrJson.text(attributes));
      Map<String, Object> together = new LinkedHashMap<>();
      together.put("zarr_consolidated_format", 1);
      together.put("metadata", all);
      folder.child(".zmetadata").writeWhole(ZarrJson.text(together));
      folder.child(Version2.GROUP_FILE).writeWhole(ZarrJson.text(group));
      return;
    }
    arrays.forEach((name, layout) -> all.put(name, Version3.document(layout)));
    folder.child(Version3.FILE).writeWhole(Version3.group(attributes, all));
  }

  /** Removes what was written. */
  public void abort() {
    folder.delete();
  }
}
