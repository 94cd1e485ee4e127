/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.npy.NpyFile;
import io.sparkstencil.spark.files.zarr.ZarrArray;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Where an array lies.
 *
 * @param path as it is named
 * @param file the file that the path names or leads into, or nothing for a folder or no file
 * @param inside what the path names in the file
 * @param hadoop the settings of file systems
 */
record ArrayPlace(String path, Optional<StoredFile> file, String inside, Configuration hadoop) {
  static ArrayPlace of(String path, Configuration hadoop) {
    StoredFile named = StoredFile.of(path, hadoop);
    Optional<StoredFile> file = named.fileOnTheWay();
    return new ArrayPlace(path, file, file.map(named::pathFrom).orElse(""), hadoop);
  }

  /** Opens the array: a folder as Zarr, a file as npy. */
  FieldReader open(boolean raw) {
    if (file.isEmpty()) {
      boolean folder = FieldPaths.isInZarr(path) || StoredFile.of(path, hadoop).exists();
      return folder ? zarr(raw) : NpyFile.open(path, hadoop);
    }
    if (!inside.isEmpty()) {
      throw FieldFileException.wrongCall(
          "%s is a file of one array, and %s leads into it; name the file alone"
              .formatted(file.get(), path));
    }
    return NpyFile.open(path, hadoop);
  }

  private FieldReader zarr(boolean raw) {
    return raw ? ZarrArray.openRaw(path, hadoop) : ZarrArray.open(path, hadoop);
  }
}
