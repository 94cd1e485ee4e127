/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.results;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The machine that measured.
 *
 * @param name the folder of its results
 * @param gpu the first GPU's name; empty if there is none that kernels can run on
 * @param driver its driver's version with that of CUDA, as in {@code 580.159.04 (CUDA 13.0)}; empty
 *     without a GPU
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

  /** Where Linux has the driver's version; containers may lack the first. */
  private static final List<Path> DRIVER_FILES =
      List.of(Path.of("/proc/driver/nvidia/version"), Path.of("/sys/module/nvidia/version"));

  /** Describes this machine, whose results go to the folder {@code name}. */
  public static MachineFacts ofThisMachine(String name) {
    Optional<CudaDevice> gpu = CudaDriver.get().devices().stream().findFirst();
    long bytes =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system
            ? system.getTotalMemorySize()
            : 0;
    return new MachineFacts(
        name,
        gpu.map(CudaDevice::name).orElse(""),
        gpu.map(MachineFacts::driverOf).orElse(""),
        cpuName(),
        Runtime.getRuntime().availableProcessors(),
        Math.round(bytes / (double) (1L << 30)),
        Runtime.version().toString(),
        org.apache.spark.package$.MODULE$.SPARK_VERSION());
  }

  private static String driverOf(CudaDevice device) {
    String cuda = "CUDA " + device.driverVersionText();
    return driverVersion(driverText()).map(version -> version + " (" + cuda + ")").orElse(cuda);
  }

  /** Returns what the system tells about the driver, which the CUDA API does not name. */
  private static String driverText() {
    try {
      for (Path file : DRIVER_FILES) {
        if (Files.isReadable(file)) {
          return Files.readString(file);
        }
      }
      return output("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader");
    } catch (IOException e) {
      return ""; // there is no such command
    }
  }

  /** Returns the first number with dots, which is the version in all texts. */
  static Optional<String> driverVersion(String text) {
    Matcher version = DRIVER_VERSION.matcher(text);
    return version.find() ? Optional.of(version.group()) : Optional.empty();
  }

  private static String output(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String cpuName() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElseThrow();
    } catch (IOException | NoSuchElementException e) {
      return System.getProperty("os.arch"); // systems and processors without such a line
    }
  }
}
