/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldSource;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.cells.FieldLabels;
import io.sparkstencil.spark.files.npy.NpyFile;
import io.sparkstencil.spark.files.tiff.TiffFile;
import io.sparkstencil.spark.files.zarr.ZarrArray;
import io.sparkstencil.spark.files.zarr.ZarrLayout;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * Opens and begins the files that paths name: {@code u.npy}, or a folder such as {@code u.zarr}.
 *
 * <pre>{@code
 * try (FieldReader day = FieldPaths.open("/shared/weather.nc/t2m[time=3]", hadoop)) {
 *   List<Long> shape = day.shape();
 * }
 * }</pre>
 */
public final class FieldPaths {
  /** A scheme, a root, or a folder relative to the current one. */
  private static final Pattern BEGINS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:|[.]{0,2}/|~/");

  private static final Pattern ENDS =
      Pattern.compile(
          "[.](npy|npz|zarr|n5|nc|nc[34]|cdf|h5|hdf5?|he5|tiff?|gri?b2?|parquet|csv|zip|gz)/*$",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern ZARR = Pattern.compile("[.]zarr/*$", Pattern.CASE_INSENSITIVE);
  private static final Pattern TIFF = Pattern.compile("[.]tiff?$", Pattern.CASE_INSENSITIVE);
  private static final Pattern IN_ZARR = Pattern.compile("[.]zarr(/|$)", Pattern.CASE_INSENSITIVE);

  /** An array in a file that has several. */
  private static final Pattern IN_FILE =
      Pattern.compile("[.](nc|nc[34]|cdf|h5|hdf5?|he5|mat|tiff?)(/|$)", Pattern.CASE_INSENSITIVE);

  private FieldPaths() {}

  /**
   * Opens a field: a folder as a Zarr array, anything else as an npy file.
   *
   * @param name a path on any file system of Hadoop; an array in a group is a folder in it, {@code
   *     x.zarr/t2m}. Behind it may stand a slice: {@code x.zarr/t2m[3]}, {@code u.npy[0,:,10:20]},
   *     {@code x.zarr/t2m[time=3]}. The numbers of a Zarr array are decoded as its attributes say:
   *     see {@link ZarrArray#open}
   * @param hadoop the settings of file systems
   * @return a reader of 1 to 3 axes, which the caller closes
   * @throws FieldFileException if the file is missing, broken, or of an unsupported kind
   */
  public static FieldReader open(String name, Configuration hadoop) {
    return FieldName.of(name, hadoop).open(path -> ArrayPlace.of(path, hadoop).open(false));
  }

  /**
   * Returns whether a text can only be a path: it begins as one, lies in a Zarr store, or ends as
   * files of arrays and tables do.
   */
  public static boolean isPath(String text) {
    String path = FieldName.withoutSlice(text);
    return BEGINS.matcher(path).lookingAt()
        || isInZarr(path)
        || IN_FILE.matcher(path).find()
        || ENDS.matcher(path).find();
  }

  /**
   * Returns whether there is a file or folder of a name, with or without the slice behind it; not
   * if the text can be no path.
   */
  public static boolean exists(String text, Configuration hadoop) {
    return FieldName.exists(text, hadoop) || FieldName.exists(FieldName.withoutSlice(text), hadoop);
  }

  /**
   * Opens a field as {@link #open} does, with the numbers as they are stored: neither is packing
   * undone, nor do missing values become NaN.
   */
  public static FieldReader openRaw(String name, Configuration hadoop) {
    return FieldName.of(name, hadoop).open(path -> ArrayPlace.of(path, hadoop).open(true));
  }

  /** Returns the field of a name, which each task opens as {@link #openRaw} does. */
  public static FieldSource rawSource(String name) {
    return hadoop -> openRaw(name, hadoop);
  }

  /** Returns the field of a name, which each task opens as {@link #open} does. */
  public static FieldSource source(String name) {
    return hadoop -> open(name, hadoop);
  }

  /** Returns the whole path, with its scheme, of the array of which a name says all or a part. */
  public static String array(String name, Configuration hadoop) {
    return StoredFile.of(FieldName.of(name, hadoop).path(), hadoop).toString();
  }

  /**
   * Returns what a file says of a field beside its cells: names of axes, attributes, and the
   * coordinates of axes that are arrays of their names beside it. The tags of a GeoTIFF that say
   * where it lies are among the attributes, moved for a slice; the coordinates of its axes follow
   * from them.
   *
   * @param name as {@link #open} takes it
   * @param raw whether its numbers are taken as they are stored; attributes, which may say how they
   *     are to be decoded, are left out then, but for those tags of a GeoTIFF
   */
  public static FieldLabels labels(String name, boolean raw, Configuration hadoop) {
    return FieldName.of(name, hadoop).labels(raw, hadoop);
  }

  /**
   * Returns a remedy where a field has another number of axes than a grid: the slice that has as
   * many, such as {@code [time=0]}; nothing if the field has no more.
   */
  public static Optional<String> slice(FieldReader field, int axes) {
    return field.shape().size() > axes
        ? Optional.of(FieldSlice.leaving(field, axes))
        : Optional.empty();
  }

  /**
   * Begins a file that tasks write box by box, in the format that the end of the path names.
   *
   * @param path a path that ends in {@code .npy}, {@code .zarr} or {@code .tif}
   * @param shape the cells along each axis, slowest first
   * @param boxes the cells of the boxes that tasks write, along each axis: the chunks of a Zarr
   *     array; of a TIFF file, multiples of 16
   * @throws FieldFileException if the path ends otherwise, or writing fails
   */
  public static FieldWriter create(
      String path, ElementType type, List<Long> shape, Extent boxes, Configuration hadoop) {
    return create(path, type, shape, boxes, Map.of(), hadoop);
  }

  /**
   * Begins a file as {@link #create(String, ElementType, List, Extent, Configuration)} does.
   *
   * @param attributes of a field; a TIFF file keeps those that say where a raster lies on the Earth
   */
  public static FieldWriter create(
      String path,
      ElementType type,
      List<Long> shape,
      Extent boxes,
      Map<String, Object> attributes,
      Configuration hadoop) {
    if (isZarr(path)) {
      return ZarrArray.create(path, ZarrLayout.ofBoxes(type, shape, boxes), hadoop);
    }
    if (path.toLowerCase(Locale.ROOT).endsWith(".npy")) {
      return NpyFile.create(path, type, shape, hadoop);
    }
    if (TIFF.matcher(path).find()) {
      return TiffFile.create(path, type, shape, boxes, attributes, hadoop);
    }
    throw FieldFileException.wrongCall(
        "\"%s\" does not end in .npy, .zarr or .tif, which tell the format; add one"
            .formatted(path));
  }

  private static boolean isZarr(String path) {
    return ZARR.matcher(path).find();
  }

  static boolean isInZarr(String path) {
    return IN_ZARR.matcher(path).find();
  }
}
