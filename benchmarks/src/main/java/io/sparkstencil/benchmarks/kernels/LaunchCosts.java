/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Completion;
import io.sparkstencil.kernels.gpu.GpuEngine;
import io.sparkstencil.kernels.gpu.GpuLane;
import io.sparkstencil.kernels.gpu.GpuOptions;
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
    try (GpuEngine engine =
        GpuEngine.open(CudaDriver.get(), context.traits(), GpuOptions.of(Map.of()))) {
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
    var threads = ManagementFactory.getThreadMXBean();
    List<Double> micros = new ArrayList<>();
    try (GpuLane lane = engine.openLane();
        DeviceBuffer in = engine.context().allocateDevice(4L * CELLS);
        DeviceBuffer out = engine.context().allocateDevice(4L * CELLS)) {
      launchMany(engine, spec, lane, in.address(), out.address(), WARM_LAUNCHES);
      for (int batch = 0; batch < BATCHES; batch++) {
        long start = threads.getCurrentThreadCpuTime();
        launchMany(engine, spec, lane, in.address(), out.address(), LAUNCHES);
        micros.add((threads.getCurrentThreadCpuTime() - start) / 1e3 / LAUNCHES);
      }
    }
    return row("kernel/launch/mean/exact/f32/k=8", "cached, CPU time", micros, "us", 20);
  }

  private static void launchMany(
      GpuEngine engine, StencilSpec spec, GpuLane lane, long in, long out, int launches) {
    Completion last = Completion.DONE;
    for (int i = 0; i < launches; i++) {
      CompiledStencil stencil = engine.compile(spec);
      last = lane.submitOnDevice(stencil, in, CELLS, out);
    }
    last.await();
  }

  private static BenchmarkRow row(
      String name, String subject, List<Double> values, String unit, double limit) {
    String against = "limit of %.0f %s".formatted(limit, unit);
    double ratio = limit / Quantiles.median(values);
    return BenchmarkRow.of(name, subject, against, values, unit, ratio, false, "");
  }
}
