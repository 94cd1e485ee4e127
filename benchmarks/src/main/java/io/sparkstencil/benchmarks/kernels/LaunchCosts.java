/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.gpu.GpuEngine;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.tuning.RotatingBuffers;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;

/** What the CPU pays: a kernel never seen before, and a launch of one that is cached. */
final class LaunchCosts {
  private static final int NEW_KERNELS = 9;
  private static final int WARM_LAUNCHES = 20_000;
  private static final int BATCHES = 15;
  private static final int LAUNCHES = 1000;
  private static final int CELLS = 4096;

  private LaunchCosts() {}

  static void measure(PrimaryContext context, Consumer<BenchmarkRow> rows) {
    try (GpuEngine engine = GpuEngine.open(CudaDriver.get(), context.traits(), Map.of())) {
      for (int radius : new int[] {1, 8, 32}) {
        rows.accept(neverSeen(engine, radius));
      }
      rows.accept(cachedLaunch(engine));
    }
  }

  /** Random weights: neither this process nor the driver's cache on disk has seen the kernel. */
  private static BenchmarkRow neverSeen(GpuEngine engine, int radius) {
    Random random = new Random();
    List<Double> millis =
        DoubleStream.generate(
                () -> {
                  double[] weights = random.doubles(2L * radius + 1, -1, 1).toArray();
                  Stencil stencil = Stencil.weighted(Frame.radius(radius), weights);
                  StencilSpec spec = new StencilSpec(stencil, ElementType.F32);
                  return 1e3 * Turns.seconds(() -> engine.compile(spec));
                })
            .limit(NEW_KERNELS)
            .boxed()
            .toList();
    return row("kernel/compile/weighted/exact/f32/k=" + radius, "never seen", millis, "ms", 150);
  }

  private static BenchmarkRow cachedLaunch(GpuEngine engine) {
    StencilSpec spec = new StencilSpec(Stencil.mean(Frame.radius(8)), ElementType.F32);
    FlatStencil what = FlatStencil.of(spec, 0, false);
    KernelVariant variant =
        new KernelVariant(what, ScheduleSelector.select(DeviceTraits.H200, what));
    var threads = ManagementFactory.getThreadMXBean();
    List<Double> micros = new ArrayList<>();
    try (HeldKernels held = engine.kernels().hold(key -> KernelGenerator.generate(variant));
        CudaStream stream = engine.context().newStream();
        CudaEvent done = engine.context().newMarker();
        RotatingBuffers buffers = new RotatingBuffers(engine.context(), 1, 1, 4L * CELLS)) {
      Runnable launch =
          () -> {
            engine.compile(spec);
            LaunchArguments arguments =
                new LaunchArguments()
                    .set(KernelParameter.STAGED_CELLS, CELLS)
                    .set(KernelParameter.POSITIONS, CELLS - what.width() + 1L)
                    .set(KernelParameter.SHIFT, 0);
            held.get(variant).launch(stream, CELLS - what.width() + 1, buffers.turn(arguments, 0));
            done.record(stream);
          };
      repeat(launch, WARM_LAUNCHES, done);
      for (int batch = 0; batch < BATCHES; batch++) {
        long start = threads.getCurrentThreadCpuTime();
        repeat(launch, LAUNCHES, done);
        micros.add((threads.getCurrentThreadCpuTime() - start) / 1e3 / LAUNCHES);
      }
    }
    return row("kernel/launch/mean/exact/f32/k=8", "cached, CPU time", micros, "us", 20);
  }

  private static void repeat(Runnable launch, int launches, CudaEvent done) {
    for (int i = 0; i < launches; i++) {
      launch.run();
    }
    done.synchronize();
  }

  private static BenchmarkRow row(
      String name, String subject, List<Double> values, String unit, double limit) {
    String against = "limit of %.0f %s".formatted(limit, unit);
    double ratio = limit / Quantiles.median(values);
    return BenchmarkRow.of(name, subject, against, values, unit, ratio, false, "");
  }
}
