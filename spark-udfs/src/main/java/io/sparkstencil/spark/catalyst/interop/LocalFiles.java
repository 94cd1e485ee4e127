/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.nio.file.Path;
import org.apache.spark.SparkEnv;

/** Files in the folders that Spark has for what executors keep on disk. */
public final class LocalFiles {
  private LocalFiles() {}

  /** Returns where no file is, in a folder that is deleted with the application. */
  public static Path next() {
    return SparkEnv.get().blockManager().diskBlockManager().createTempLocalBlock()._2().toPath();
  }
}
