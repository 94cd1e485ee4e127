/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Linux says of this process's physical memory, pinned memory included. */
public final class ProcessMemory {
  private ProcessMemory() {}

  /**
   * Returns a figure in bytes, or 0 where the system does not tell.
   *
   * @param name its name in {@code /proc/self/status}, such as {@code VmRSS}
   */
  public static long bytes(String name) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElse(0);
  }
}
