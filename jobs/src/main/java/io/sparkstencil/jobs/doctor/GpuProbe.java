/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.doctor;

import io.sparkstencil.jobs.command.StencilVersion;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Looks for GPUs, their driver and the native library, without loading or touching any of them. */
final class GpuProbe {
  private static final int PATIENCE_SECONDS = 10;
  private static final String DRIVER_LIBRARY = "libcuda.so.1";
  private static final String NATIVE_RESOURCE = "/lib/libJCudaDriver-%s-linux-x86_64.so";
  private static final String[] LIBRARY_FOLDERS = {
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/nvidia/lib64",
    "/usr/local/cuda/compat",
    "/usr/lib/wsl/lib"
  };

  private final Path root;

  /** Creates a probe of the machine whose file system begins at {@code root}. */
  GpuProbe(Path root) {
    this.root = root;
  }

  /** Returns what was found: devices, driver, and our native library. */
  List<Check> checks() {
    return List.of(driver(), devices(), natives());
  }

  private Check driver() {
    Optional<String> version = lines(root.resolve("proc/driver/nvidia/version")).findFirst();
    Optional<Path> library = driverLibrary();
    if (library.isPresent()) {
      String kernelModule =
          version
              .map(line -> line.replace("NVRM version: ", "") + "; " + library.get())
              .orElse(library.get() + "; no /proc/driver/nvidia/version to read");
      return Check.ok("GPU driver", kernelModule);
    }
    return version.isPresent()
        ? Check.missing(
            "GPU driver",
            "the kernel module is loaded, but no %s was found".formatted(DRIVER_LIBRARY),
            "install the driver's user libraries; in a container, start it with the NVIDIA runtime")
        : Check.missing(
            "GPU driver",
            "no NVIDIA driver on this machine",
            "to use a GPU, install its driver, nothing else is needed; without one the CPU engine runs");
  }

  private Check devices() {
    List<String> found = root.equals(Path.of("/")) ? askNvidiaSmi() : List.of();
    found = found.isEmpty() ? models() : found;
    return found.isEmpty()
        ? Check.missing("GPUs", "none found", "")
        : Check.ok("GPUs", String.join("; ", found));
  }

  /** Returns the models that the driver names, of a kind of driver that names them here. */
  private List<String> models() {
    File[] folders = root.resolve("proc/driver/nvidia/gpus").toFile().listFiles();
    return Stream.of(folders == null ? new File[0] : folders)
        .sorted()
        .map(
            folder ->
                lines(folder.toPath().resolve("information"))
                    .filter(line -> line.startsWith("Model:"))
                    .map(line -> line.substring("Model:".length()).strip())
                    .findFirst()
                    .orElse("a GPU without a name"))
        .toList();
  }

  private static Check natives() {
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    if (!system.toLowerCase(Locale.ROOT).equals("linux amd64")) {
      return Check.missing(
          "GPU natives",
          "%s: natives are shipped for Linux on x86_64".formatted(system),
          "the CPU engine runs here");
    }
    String version = StencilVersion.ofJcuda();
    if (GpuProbe.class.getResource(NATIVE_RESOURCE.formatted(version)) != null) {
      return Check.ok("GPU natives", "JCuda %s for %s, in the jar".formatted(version, system));
    }
    return Check.missing(
        "GPU natives",
        "JCuda's native library is not on the class path",
        "use the jar that bin/stencil builds, or add jcuda-natives for linux-x86_64");
  }

  private Optional<Path> driverLibrary() {
    List<String> folders = new ArrayList<>(List.of(LIBRARY_FOLDERS));
    String more = System.getenv("LD_LIBRARY_PATH");
    if (more != null) {
      folders.addAll(List.of(more.split(":", -1)));
    }
    return folders.stream()
        .filter(folder -> folder.startsWith("/"))
        .map(folder -> root.resolve(folder.substring(1)).resolve(DRIVER_LIBRARY))
        .filter(Files::exists)
        .findFirst();
  }

  /** Returns the lines of a file, or none where it cannot be read. */
  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      return Stream.empty();
    }
  }

  /** Returns one text per GPU, or none where the tool is absent, fails or hangs. */
  private static List<String> askNvidiaSmi() {
    try {
      Process process =
          new ProcessBuilder(
                  "nvidia-smi",
                  "--query-gpu=name,memory.total,compute_cap,driver_version",
                  "--format=csv,noheader")
              .redirectErrorStream(true)
              .start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return List.of();
      }
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.exitValue() == 0
          ? text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList()
          : List.of();
    } catch (IOException e) {
      return List.of(); // not installed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}
