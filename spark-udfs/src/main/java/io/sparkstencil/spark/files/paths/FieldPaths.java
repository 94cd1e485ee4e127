/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldSource;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.npy.NpyFile;
import io.sparkstencil.spark.files.zarr.ZarrArray;
import io.sparkstencil.spark.files.zarr.ZarrLayout;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Opens and begins the files that paths name: {@code u.npy}, or a folder such as {@code u.zarr}.
 */
public final class FieldPaths {
  private FieldPaths() {}

  /**
   * Opens a file: a folder as a Zarr array, anything else as an npy file.
   *
   * @param path a path on any file system of Hadoop
   * @param hadoop the settings of file systems
   * @return a reader, which the caller closes
   * @throws FieldFileException if the file is missing, broken, or of an unsupported kind
   */
  public static FieldReader open(String path, Configuration hadoop) {
    StoredFile file = StoredFile.of(path, hadoop);
    boolean single = file.isFile();
    if (!single && (file.exists() || isZarr(path))) {
      return ZarrArray.open(path, hadoop);
    }
    return NpyFile.open(path, hadoop);
  }

  /** Returns the field at a path, which each task opens as {@link #open} does. */
  public static FieldSource source(String path) {
    return hadoop -> open(path, hadoop);
  }

  /**
   * Begins a file that tasks write box by box, in the format that the end of the path names.
   *
   * @param path a path that ends in {@code .npy} or {@code .zarr}
   * @param shape the cells along each axis, slowest first
   * @param boxes the cells of the boxes that tasks write, along each axis: the chunks of a Zarr
   *     array
   * @throws FieldFileException if the path ends otherwise, or writing fails
   */
  public static FieldWriter create(
      String path, ElementType type, List<Long> shape, Extent boxes, Configuration hadoop) {
    if (isZarr(path)) {
      return ZarrArray.create(path, ZarrLayout.of(type, shape, boxes), hadoop);
    }
    if (path.endsWith(".npy")) {
      return NpyFile.create(path, type, shape, hadoop);
    }
    throw FieldFileException.wrongCall(
        "\"%s\" does not end in .npy or .zarr, which tell the format; add one".formatted(path));
  }

  private static boolean isZarr(String path) {
    return path.endsWith(".zarr") || path.endsWith(".zarr/");
  }
}
