/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The machine that measured.
 *
 * @param name the folder of its results
 * @param gpu the GPU's name; empty if none was used
 * @param driver the GPU driver's version; empty if none was used
 * @param cpu the CPU's name
 * @param cores how many cores
 * @param memoryGiB memory of the machine
 * @param java version of the JVM
 * @param spark version of Spark
 */
public record MachineFacts(
    String name,
    String gpu,
    String driver,
    String cpu,
    int cores,
    long memoryGiB,
    String java,
    String spark) {

  /** Describes this machine; GPU and driver are what the caller knows of them. */
  public static MachineFacts ofThisMachine(String name, String gpu, String driver) {
    long bytes =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system
            ? system.getTotalMemorySize()
            : 0;
    return new MachineFacts(
        name,
        gpu,
        driver,
        cpuName(),
        Runtime.getRuntime().availableProcessors(),
        Math.round(bytes / (double) (1L << 30)),
        Runtime.version().toString(),
        org.apache.spark.package$.MODULE$.SPARK_VERSION());
  }

  private static String cpuName() {
    Path facts = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(facts)) {
      return System.getProperty("os.arch");
    }
    try (Stream<String> lines = Files.lines(facts)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
