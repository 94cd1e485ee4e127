/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.DiskBlockManager;

/** Files in the folders that Spark has for what executors keep on disk. */
public final class LocalFiles {
  private LocalFiles() {}

  private static DiskBlockManager manager() {
    return SparkEnv.get().blockManager().diskBlockManager();
  }

  /** Returns where no file is, in a folder that is deleted with the application. */
  public static Path next() {
    return manager().createTempLocalBlock()._2().toPath();
  }

  /** Returns the bits of the keys that what waits on disk is encrypted with; 0 if it is not. */
  public static int keyBits() {
    SparkConf conf = SparkEnv.get().conf();
    return conf.getBoolean("spark.io.encryption.enabled", false)
        ? conf.getInt("spark.io.encryption.keySizeBits", 128)
        : 0;
  }

  /** Returns the folders. */
  public static List<String> folders() {
    return Arrays.stream(manager().localDirs()).map(File::getPath).toList();
  }

  /** Returns the bytes that the disks of all folders have free, those of each disk once. */
  public static long freeBytes() {
    try {
      Set<FileStore> disks = new HashSet<>();
      long free = 0;
      for (String folder : folders()) {
        FileStore disk = Files.getFileStore(Path.of(folder));
        free += disks.add(disk) ? disk.getUsableSpace() : 0;
      }
      return free;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
