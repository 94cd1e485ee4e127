/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.loops.LoopWork;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.tuning.LaunchTimer;
import io.sparkstencil.kernels.tuning.RotatingBuffers;
import io.sparkstencil.kernels.variant.CacheHints;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Where a window of the second-level cache could pay: several stencils over one input that fits the
 * cache, each with an output of its own that would push the input out; and a single pass, where it
 * could not.
 */
final class CacheWindowRows {
  private static final int[] MEBIBYTES = {4, 8, 16, 24, 32, 48};
  private static final int SINGLE_PASS_MEBIBYTES = 512;
  private static final int OUTPUTS = 8;
  private static final int SAMPLES = 15;
  private static final String TUNED = "tuned";

  private CacheWindowRows() {}

  static void measure(PrimaryContext context, DeviceTraits traits, Consumer<BenchmarkRow> rows) {
    for (int mebibytes : MEBIBYTES) {
      String name = "one input of %d MiB".formatted(mebibytes);
      try (RotatingBuffers buffers =
          new RotatingBuffers(context, 1, OUTPUTS, ((long) mebibytes << 20) + 256)) {
        measure(context, traits, buffers, name, mebibytes, rows);
      }
    }
    try (RotatingBuffers buffers =
        new RotatingBuffers(context, 2, 2, ((long) SINGLE_PASS_MEBIBYTES << 20) + 256)) {
      measure(context, traits, buffers, "single pass", SINGLE_PASS_MEBIBYTES, rows);
    }
  }

  private static void measure(
      PrimaryContext context,
      DeviceTraits traits,
      RotatingBuffers buffers,
      String name,
      int mebibytes,
      Consumer<BenchmarkRow> rows) {
    FlatStencil what = KernelWork.of(LoopWork.parse("mean/fast/f32/k=8")).what();
    KernelSchedule tuned = ScheduleSelector.select(traits, what);
    KernelSchedule streaming = tuned.withHints(CacheHints.STREAM_STORES);
    Map<String, KernelSchedule> subjects = new LinkedHashMap<>();
    subjects.put(TUNED, tuned);
    subjects.put("streaming stores", streaming);
    subjects.put("window", tuned.withPersisting(mebibytes));
    subjects.put("window, streaming stores", streaming.withPersisting(mebibytes));
    double tunedMillis = 0;
    for (Map.Entry<String, KernelSchedule> subject : subjects.entrySet()) {
      KernelSchedule how = subject.getValue();
      KernelVariant variant = new KernelVariant(what, how);
      LaunchTimer.Timing timing = time(context, buffers, variant, mebibytes << 18);
      tunedMillis = subject.getKey().equals(TUNED) ? timing.millis() : tunedMillis;
      rows.accept(
          new KernelRig.Measured(timing, false, how.label())
              .row(
                  "kernel/window/mean/fast/f32/k=8/" + name, subject.getKey(), TUNED, tunedMillis));
    }
  }

  private static LaunchTimer.Timing time(
      PrimaryContext context, RotatingBuffers buffers, KernelVariant variant, int staged) {
    LaunchArguments arguments = KernelRig.arguments(staged, variant.what().width());
    int cells = staged - variant.what().width() + 1;
    try (KernelCache kernels = new KernelCache(context);
        CudaStream stream = context.newStream();
        LaunchTimer timer = new LaunchTimer(context, stream, SAMPLES, OUTPUTS)) {
      buffers.fillInputs(stream, (byte) 0x3E);
      return timer.time(
          kernels.get(variant, () -> KernelGenerator.generate(variant)), cells, arguments, buffers);
    }
  }
}
