/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.model.ElementType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a kernel costs before it first runs, on a machine without a GPU: writing its text, and
 * assembling it for an H200 with the {@code ptxas} of an installed toolkit, a process each time.
 */
final class GenerationCosts {
  private static final int[] RADII = {1, 8, 32, 128};
  private static final int WARM_UP = 40;
  private static final int SAMPLES = 15;
  private static final int ASSEMBLIES = 3;

  /** What a variant that was never seen may take altogether. */
  private static final double LIMIT_MILLIS = 150;

  private GenerationCosts() {}

  static List<BenchmarkRow> measure() throws IOException {
    List<KernelWork> works = new ArrayList<>();
    for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
      for (int radius : RADII) {
        works.addAll(KernelWork.all(type, radius));
      }
    }
    for (int i = 0; i < WARM_UP; i++) {
      works.forEach(work -> KernelGenerator.generate(variantOf(work)));
    }
    Optional<Path> ptxas =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
            .map(folder -> Path.of(folder, "ptxas"))
            .filter(Files::isExecutable)
            .findFirst();
    Path folder = Files.createTempDirectory("kernels");
    List<BenchmarkRow> rows = new ArrayList<>();
    for (KernelWork work : works) {
      KernelVariant variant = variantOf(work);
      List<Double> millis = new ArrayList<>();
      GeneratedKernel kernel = null;
      for (int i = 0; i < SAMPLES; i++) {
        long start = System.nanoTime();
        kernel = KernelGenerator.generate(variant);
        millis.add((System.nanoTime() - start) / 1e6);
      }
      String note = "%s, %d characters".formatted(variant.how().label(), kernel.ptx().length());
      rows.add(row("generate", work, "PTX text", millis, false, note));
      if (ptxas.isPresent()) {
        rows.add(assembled(ptxas.get(), folder, work, kernel, variant));
      }
    }
    Files.delete(folder);
    return rows;
  }

  private static KernelVariant variantOf(KernelWork work) {
    return KernelVariant.of(work.what(), ScheduleSelector.select(DeviceTraits.H200, work.what()));
  }

  private static BenchmarkRow assembled(
      Path ptxas, Path folder, KernelWork work, GeneratedKernel kernel, KernelVariant variant)
      throws IOException {
    Path file = Files.writeString(folder.resolve("kernel.ptx"), kernel.ptx());
    List<String> command =
        List.of(ptxas.toString(), "-v", "-arch=sm_90", file.toString(), "-o", "/dev/null");
    List<Double> millis = new ArrayList<>();
    boolean good = true;
    try {
      for (int i = 0; i < ASSEMBLIES; i++) {
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        byte[] output = process.getInputStream().readAllBytes();
        int status = process.waitFor();
        millis.add((System.nanoTime() - start) / 1e6);
        String log = new String(output, StandardCharsets.UTF_8);
        good &= status == 0 && log.contains("0 bytes spill stores, 0 bytes spill loads");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      Files.delete(file);
    }
    return row("assemble", work, "ptxas for sm_90", millis, good, variant.how().label());
  }

  private static BenchmarkRow row(
      String step,
      KernelWork work,
      String subject,
      List<Double> millis,
      boolean checked,
      String note) {
    double median = Quantiles.median(millis);
    String name = work.name().replaceFirst("kernel/", "kernel/" + step + "/");
    System.out.printf("%-46s %s: %.3f ms%n", name, subject, median);
    String against = "limit of %.0f ms".formatted(LIMIT_MILLIS);
    double ratio = LIMIT_MILLIS / median;
    return BenchmarkRow.of(name, subject, against, millis, "ms", ratio, checked, note);
  }
}
