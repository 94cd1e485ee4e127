/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.OtherFormat;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.hdf5.Hdf5File;
import io.sparkstencil.spark.files.netcdf.NetcdfFile;
import io.sparkstencil.spark.files.npy.NpyFile;
import io.sparkstencil.spark.files.tiff.TiffFile;
import io.sparkstencil.spark.files.zarr.ZarrArray;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * Where an array lies.
 *
 * @param path as it is named
 * @param file the file that the path names or leads into, or nothing for a folder or no file
 * @param inside what the path names in the file
 * @param hadoop the settings of file systems
 */
record ArrayPlace(String path, Optional<StoredFile> file, String inside, Configuration hadoop) {
  /** Files of HDF5 may begin with a block of another program. */
  private static final int SECOND_START = 512;

  private static final byte[] NPY = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  static ArrayPlace of(String path, Configuration hadoop) {
    StoredFile named = StoredFile.of(path, hadoop);
    Optional<StoredFile> file = named.fileOnTheWay();
    return new ArrayPlace(path, file, file.map(named::pathFrom).orElse(""), hadoop);
  }

  /** Opens the array, in the format that the first bytes of its file tell. */
  FieldReader open(boolean raw) {
    if (file.isEmpty()) {
      boolean folder = FieldPaths.isInZarr(path) || StoredFile.of(path, hadoop).exists();
      return folder ? zarr(raw) : NpyFile.open(path, hadoop);
    }
    Optional<OtherFormat> format = format(file.get());
    if (format.isPresent()) {
      switch (format.get()) {
        case HDF5 -> {
          return Hdf5File.open(file.get(), inside, raw, hadoop);
        }
        case NETCDF3 -> {
          return NetcdfFile.open(file.get(), inside, raw, hadoop);
        }
        case TIFF -> {
          if (inside.isEmpty()) {
            return TiffFile.open(file.get(), raw, hadoop);
          }
        }
        default -> throw format.get().unread(file.get());
      }
    }
    if (!inside.isEmpty()) {
      throw FieldFileException.wrongCall(
          "%s is a file of one array, and %s leads into it; name the file alone, and a part of it by a slice, such as [0]"
              .formatted(file.get(), path));
    }
    return NpyFile.open(path, hadoop);
  }

  /** Returns whether arrays beside this one can be its coordinates. */
  boolean liesInGroup() {
    return file.isEmpty() || !inside.isEmpty();
  }

  private FieldReader zarr(boolean raw) {
    return raw ? ZarrArray.openRaw(path, hadoop) : ZarrArray.open(path, hadoop);
  }

  private static Optional<OtherFormat> format(StoredFile file) {
    long bytes = file.length().orElseThrow(file::missing);
    try (FSDataInputStream in = file.open()) {
      byte[] begins = new byte[NPY.length];
      if (bytes >= begins.length) {
        in.readFully(0, begins);
      }
      if (Arrays.equals(begins, NPY)) {
        return Optional.empty();
      }
      Optional<OtherFormat> first = format(in, 0, bytes);
      for (long at = SECOND_START; first.isEmpty() && at < bytes; at *= 2) {
        first = format(in, at, bytes).filter(found -> found == OtherFormat.HDF5);
      }
      return first;
    } catch (IOException e) {
      throw FieldFileException.failed("reading", file, e);
    }
  }

  private static Optional<OtherFormat> format(FSDataInputStream in, long at, long bytes)
      throws IOException {
    if (bytes < at + OtherFormat.FIRST_BYTES) {
      return Optional.empty();
    }
    byte[] first = new byte[OtherFormat.FIRST_BYTES];
    in.readFully(at, first);
    return OtherFormat.of(ByteBuffer.wrap(first));
  }
}
