/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * Files that never take the place of others. Of several that make one at the same time one
 * succeeds: on disks of this machine, on HDFS, and on stores that can put an object on condition.
 * On other stores the last one wins, so that each must read back whose file it is.
 */
public final class ExclusiveFile {
  private ExclusiveFile() {}

  /**
   * Writes a file if there is none of its name. On a disk of this machine it appears with all its
   * bytes.
   *
   * @return whether the file was written
   */
  public static boolean write(StoredFile file, byte[] bytes) {
    try {
      Optional<java.nio.file.Path> disk = file.disk();
      if (disk.isPresent()) {
        StoredFile written = file.hidden("new");
        LocalDisk.write(written.disk().orElseThrow(), bytes);
        boolean isNew = rename(written, file);
        written.delete();
        return isNew;
      }
      if (file.exists()) {
        return false;
      }
      FSDataOutputStream created = file.files.create(file.path, false);
      try (FSDataOutputStream out = created) {
        out.write(bytes);
        if (out.hasCapability(StreamCapabilities.HSYNC)) {
          out.hsync();
        }
      } catch (IOException e) {
        try {
          file.delete(); // without its bytes it would keep all others away
        } catch (FieldFileException failed) {
          e.addSuppressed(failed);
        }
        throw e;
      }
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException e) {
      throw FieldFileException.failed("writing", file, e);
    }
  }

  /**
   * Gives a file another name if there is no file of that.
   *
   * @return whether it has that name now
   */
  public static boolean rename(StoredFile file, StoredFile target) {
    try {
      Optional<java.nio.file.Path> disk = file.disk();
      return disk.isPresent()
          ? LocalDisk.rename(disk.get(), target.disk().orElseThrow())
          : !target.exists() && file.files.rename(file.path, target.path);
    } catch (IOException e) {
      throw FieldFileException.failed("writing", target, e);
    }
  }
}
