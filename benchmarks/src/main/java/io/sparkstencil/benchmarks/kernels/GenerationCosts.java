/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;

/**
 * What a kernel costs before it first runs, on a machine without a GPU: writing its text, and
 * assembling it for an H200 with the {@code ptxas} of an installed toolkit, a process each time.
 */
final class GenerationCosts {
  private static final List<Integer> RADII = List.of(1, 8, 32, 128);
  private static final int WARM_UP = 40;
  private static final int SAMPLES = 15;
  private static final int ASSEMBLIES = 3;

  /** What a variant that was never seen may take altogether. */
  private static final double LIMIT_MILLIS = 150;

  private GenerationCosts() {}

  static void measure(Consumer<BenchmarkRow> rows) throws IOException {
    List<KernelWork> works = new ArrayList<>(KernelWork.all(ElementType.F32, RADII));
    works.addAll(KernelWork.all(ElementType.F64, RADII));
    for (int i = 0; i < WARM_UP; i++) {
      works.forEach(work -> KernelGenerator.generate(variantOf(work)));
    }
    Optional<Path> ptxas =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
            .map(folder -> Path.of(folder, "ptxas"))
            .filter(Files::isExecutable)
            .findFirst();
    for (KernelWork work : works) {
      KernelVariant variant = variantOf(work);
      String ptx = KernelGenerator.generate(variant).ptx();
      List<Double> millis = millis(SAMPLES, () -> KernelGenerator.generate(variant));
      String note = "%s, %d characters".formatted(variant.how().label(), ptx.length());
      rows.accept(row("generate", work, "PTX text", millis, false, note));
      if (ptxas.isPresent()) {
        Path file = Files.writeString(Files.createTempFile("kernel", ".ptx"), ptx);
        AtomicBoolean good = new AtomicBoolean(true);
        millis = millis(ASSEMBLIES, () -> good.compareAndSet(true, assembles(ptxas.get(), file)));
        Files.delete(file);
        String how = variant.how().label();
        rows.accept(row("assemble", work, "ptxas for sm_90", millis, good.get(), how));
      }
    }
  }

  private static KernelVariant variantOf(KernelWork work) {
    return new KernelVariant(work.what(), ScheduleSelector.select(DeviceTraits.H200, work.what()));
  }

  private static List<Double> millis(int repeats, Runnable step) {
    return DoubleStream.generate(() -> 1e3 * Turns.seconds(step)).limit(repeats).boxed().toList();
  }

  /** Tells whether a kernel can be assembled without spilling registers. */
  private static boolean assembles(Path ptxas, Path file) {
    List<String> command =
        List.of(ptxas.toString(), "-v", "-arch=sm_90", file.toString(), "-o", "/dev/null");
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 && log.contains("0 bytes spill stores, 0 bytes spill loads");
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("ptxas cannot be run", e);
    }
  }

  private static BenchmarkRow row(
      String step,
      KernelWork work,
      String subject,
      List<Double> millis,
      boolean checked,
      String note) {
    String name = work.name().replaceFirst("kernel/", "kernel/" + step + "/");
    String against = "limit of %.0f ms".formatted(LIMIT_MILLIS);
    double ratio = LIMIT_MILLIS / Quantiles.median(millis);
    return BenchmarkRow.of(name, subject, against, millis, "ms", ratio, checked, note);
  }
}
