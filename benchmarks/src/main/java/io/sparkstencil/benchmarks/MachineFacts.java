/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  private static final Pattern DRIVER_VERSION = Pattern.compile("\\d{3,}\\.\\d+(\\.\\d+)?");

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

  /**
   * Returns the version of the NVIDIA driver with that of CUDA that it supports: {@code 580.159.04
   * (CUDA 13.0)}.
   */
  static String gpuDriver(String cudaVersion) {
    Path facts = Path.of("/proc/driver/nvidia/version");
    try {
      String text =
          Files.isReadable(facts)
              ? Files.readString(facts)
              : output("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader");
      return driverVersion(text)
          .map(v -> v + " (CUDA " + cudaVersion + ")")
          .orElse("CUDA " + cudaVersion);
    } catch (IOException e) {
      return "CUDA " + cudaVersion;
    }
  }

  /** Returns the first number with dots, which is the version in both texts. */
  static Optional<String> driverVersion(String text) {
    Matcher version = DRIVER_VERSION.matcher(text);
    return version.find() ? Optional.of(version.group()) : Optional.empty();
  }

  private static String output(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
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
