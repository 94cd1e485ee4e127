/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.doctor;

import io.sparkstencil.jobs.command.StencilVersion;
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
    List<Check> checks = new ArrayList<>();
    checks.add(driver());
    checks.add(devices());
    checks.add(natives());
    return checks;
  }

  private Check driver() {
    Optional<String> version = firstLine(root.resolve("proc/driver/nvidia/version"));
    Optional<Path> library = driverLibrary();
    if (version.isPresent() && library.isPresent()) {
      return Check.ok(
          "GPU driver",
          "%s; %s".formatted(version.get().replace("NVRM version: ", ""), library.get()));
    }
    if (version.isPresent()) {
      return Check.missing(
          "GPU driver",
          "the kernel module is loaded, but no %s was found".formatted(DRIVER_LIBRARY),
          "install the driver's user libraries; in a container, start it with the NVIDIA runtime");
    }
    if (library.isPresent()) {
      return Check.ok(
          "GPU driver", "%s; no /proc/driver/nvidia/version to read".formatted(library.get()));
    }
    return Check.missing(
        "GPU driver",
        "no NVIDIA driver on this machine",
        "to use a GPU, install its driver, nothing else is needed; without one the CPU engine runs");
  }

  private Check devices() {
    List<String> names = new ArrayList<>();
    try (Stream<Path> folders = Files.list(root.resolve("proc/driver/nvidia/gpus"))) {
      folders
          .sorted()
          .forEach(
              folder ->
                  names.add(modelOf(folder.resolve("information")).orElse("a GPU without a name")));
    } catch (IOException e) {
      // No such folder: no driver of this kind; nvidia-smi may know more.
    }
    List<String> listed = askNvidiaSmi();
    if (!listed.isEmpty()) {
      return Check.ok("GPUs", String.join("; ", listed));
    }
    if (!names.isEmpty()) {
      return Check.ok("GPUs", String.join("; ", names));
    }
    return Check.missing("GPUs", "none found", "");
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

  private static Optional<String> modelOf(Path information) {
    try {
      return Files.readAllLines(information).stream()
          .filter(line -> line.startsWith("Model:"))
          .map(line -> line.substring("Model:".length()).strip())
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> firstLine(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns one text per GPU, or none where the tool is absent, fails or hangs. */
  private List<String> askNvidiaSmi() {
    if (!root.equals(Path.of("/"))) {
      return List.of();
    }
    try {
      Process process =
          new ProcessBuilder(
                  "nvidia-smi",
                  "--query-gpu=name,memory.total,compute_cap,driver_version",
                  "--format=csv,noheader")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.PIPE)
              .start();
      process.getOutputStream().close();
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
