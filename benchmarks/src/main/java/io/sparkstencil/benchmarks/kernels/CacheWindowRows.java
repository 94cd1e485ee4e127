/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.KernelParameter;
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
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

  static List<BenchmarkRow> measure(PrimaryContext context, DeviceTraits traits) {
    List<BenchmarkRow> rows = new ArrayList<>();
    for (int mebibytes : MEBIBYTES) {
      try (RotatingBuffers buffers =
          new RotatingBuffers(context, 1, OUTPUTS, ((long) mebibytes << 20) + 256)) {
        String name = "kernel/window/mean/fast/f32/k=8/one input of %d MiB".formatted(mebibytes);
        measure(context, traits, buffers, name, mebibytes, rows);
      }
    }
    try (RotatingBuffers buffers =
        new RotatingBuffers(context, 2, 2, ((long) SINGLE_PASS_MEBIBYTES << 20) + 256)) {
      String name = "kernel/window/mean/fast/f32/k=8/single pass";
      measure(context, traits, buffers, name, SINGLE_PASS_MEBIBYTES, rows);
    }
    return rows;
  }

  private static void measure(
      PrimaryContext context,
      DeviceTraits traits,
      RotatingBuffers buffers,
      String name,
      int mebibytes,
      List<BenchmarkRow> rows) {
    FlatStencil what =
        new FlatStencil(Reduction.MEAN, 17, Weights.NONE, ElementType.F32, Accuracy.FAST, false, 0);
    KernelSchedule tuned = ScheduleSelector.select(traits, what);
    Map<String, KernelSchedule> subjects = new LinkedHashMap<>();
    subjects.put(TUNED, tuned);
    subjects.put("streaming stores", tuned.withHints(CacheHints.STREAM_STORES));
    subjects.put("window", tuned.withPersisting(mebibytes));
    subjects.put(
        "window, streaming stores",
        tuned.withHints(CacheHints.STREAM_STORES).withPersisting(mebibytes));
    double tunedMillis = 0;
    for (Map.Entry<String, KernelSchedule> subject : subjects.entrySet()) {
      LaunchTimer.Timing timing = time(context, buffers, what, subject.getValue(), mebibytes);
      tunedMillis = subject.getKey().equals(TUNED) ? timing.millis() : tunedMillis;
      System.out.printf("%-60s %s %.4f ms%n", name, subject.getKey(), timing.millis());
      rows.add(
          KernelRig.row(
              name,
              subject.getKey(),
              TUNED,
              timing,
              tunedMillis,
              false,
              subject.getValue().label()));
    }
  }

  private static LaunchTimer.Timing time(
      PrimaryContext context,
      RotatingBuffers buffers,
      FlatStencil what,
      KernelSchedule how,
      int mebibytes) {
    int cells = (mebibytes << 18) - what.width() + 1;
    LaunchArguments arguments =
        new LaunchArguments()
            .set(KernelParameter.STAGED_CELLS, mebibytes << 18)
            .set(KernelParameter.POSITIONS, cells)
            .set(KernelParameter.SHIFT, 0);
    KernelVariant variant = KernelVariant.of(what, how);
    try (KernelCache kernels = new KernelCache(context);
        CudaStream stream = context.newStream();
        LaunchTimer timer = new LaunchTimer(context, stream, SAMPLES, OUTPUTS)) {
      buffers.fillInputs(stream, (byte) 0x3E);
      return timer.time(
          kernels.get(variant, () -> KernelGenerator.generate(variant)), cells, arguments, buffers);
    }
  }
}
