/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.edge.EdgeKernel;
import io.sparkstencil.kernels.codegen.edge.EdgeVariant;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.tuning.LaunchTimer;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * What the outputs of cut frames cost: the edge kernel over one series of 2^20 cells, beside the
 * kernel over all its cells. Some outputs of each kind are checked.
 */
final class EdgeRows {
  private static final int CELLS = 1 << 20;
  private static final int[] RADII = {100, 300, 1000, 10_000, 100_000};
  private static final int SAMPLES = 7;
  private static final int LAUNCHES_PER_SAMPLE = 3;

  private final KernelCache kernels;
  private final DeviceTraits traits;
  private final CudaStream stream;
  private final LaunchTimer timer;
  private final PinnedBuffer host;
  private final DeviceBuffer input;
  private final DeviceBuffer output;
  private final DeviceBuffer table;
  private final float[] cells = new float[CELLS];
  private final List<BenchmarkRow> rows = new ArrayList<>();

  private EdgeRows(
      KernelCache kernels,
      DeviceTraits traits,
      CudaStream stream,
      LaunchTimer timer,
      PinnedBuffer host,
      List<DeviceBuffer> buffers) {
    this.kernels = kernels;
    this.traits = traits;
    this.stream = stream;
    this.timer = timer;
    this.host = host;
    this.input = buffers.get(0);
    this.output = buffers.get(1);
    this.table = buffers.get(2);
    Random random = new Random(3);
    for (int i = 0; i < CELLS; i++) {
      cells[i] = random.nextInt() * 0x1p-31f;
    }
  }

  static List<BenchmarkRow> measure(
      PrimaryContext context, KernelCache kernels, DeviceTraits traits) {
    long bytes = 4L * (CELLS + 2 * RADII[RADII.length - 1] + 4);
    try (CudaStream stream = context.newStream();
        LaunchTimer timer = new LaunchTimer(context, stream, SAMPLES, LAUNCHES_PER_SAMPLE);
        PinnedBuffer host = context.allocatePinned(bytes);
        DeviceBuffer input = context.allocateDevice(bytes);
        DeviceBuffer output = context.allocateDevice(bytes);
        DeviceBuffer table = context.allocateDevice(16)) {
      EdgeRows edges =
          new EdgeRows(kernels, traits, stream, timer, host, List.of(input, output, table));
      for (int radius : RADII) {
        edges.measure(new Work(Reduction.MIN, Accuracy.EXACT, radius));
        edges.measure(new Work(Reduction.MEAN, Accuracy.FAST, radius));
        edges.measure(new Work(Reduction.MEAN, Accuracy.EXACT, radius));
      }
      return edges.rows;
    }
  }

  private record Work(Reduction reduction, Accuracy accuracy, int radius) {
    StencilSpec spec() {
      Frame frame = Frame.radius(radius);
      Stencil stencil = reduction == Reduction.MIN ? Stencil.min(frame) : Stencil.mean(frame);
      return new StencilSpec(stencil.withAccuracy(accuracy), ElementType.F32);
    }

    String name() {
      return "kernel/edges/%s/%s/f32/k=%d"
          .formatted(reduction, accuracy, radius)
          .toLowerCase(Locale.ROOT);
    }
  }

  private void measure(Work work) {
    int radius = work.radius();
    upload(radius);
    LaunchArguments arguments =
        new LaunchArguments()
            .set(KernelParameter.INPUT, input.address())
            .set(KernelParameter.OUTPUT, output.address())
            .set(KernelParameter.STAGED_CELLS, CELLS + 2L * radius)
            .set(KernelParameter.POSITIONS, CELLS)
            .set(KernelParameter.SHIFT, 0)
            .set(KernelParameter.PIECES, table.address())
            .set(KernelParameter.PIECE_COUNT, 1)
            .set(KernelParameter.LEFT, radius)
            .set(KernelParameter.RIGHT, radius)
            .set(KernelParameter.PRECEDING, radius)
            .set(KernelParameter.FOLLOWING, radius);
    FlatStencil what = FlatStencil.of(work.spec(), 0, false);
    KernelVariant variant = KernelVariant.of(what, ScheduleSelector.select(traits, what));
    LoadedKernel bulk = kernels.get(variant, () -> KernelGenerator.generate(variant));
    LaunchTimer.Timing whole = timer.time(launch -> bulk.launch(stream, CELLS, arguments));
    for (EdgeVariant.Form form : EdgeVariant.Form.values()) {
      if (form == EdgeVariant.Form.SHARED_CORE && !what.groupsFreely()) {
        continue;
      }
      EdgeVariant edges =
          new EdgeVariant(EdgeVariant.Task.VALUES, work.reduction(), ElementType.F32, form);
      LoadedKernel kernel = kernels.get(edges, () -> EdgeKernel.generate(edges));
      LaunchTimer.Timing timing =
          timer.time(
              launch -> kernel.launch(stream, edges.gridX(2 * radius), edges.gridY(1), arguments));
      boolean right = check(work);
      boolean chosen = EdgeVariant.of(work.spec(), false).orElseThrow().equals(edges);
      String subject = form.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      System.out.printf(
          "%-40s %s %.4f ms, all cells %.4f ms%s%n",
          work.name(), subject, timing.millis(), whole.millis(), right ? "" : " WRONG");
      rows.add(
          KernelRig.row(
              work.name(),
              subject,
              "kernel over all cells",
              timing,
              whole.millis(),
              right,
              chosen ? "chosen" : ""));
    }
  }

  private void upload(int radius) {
    FloatBuffer staged = host.view(0, host.bytes()).asFloatBuffer();
    staged.put(new float[radius]).put(cells).put(new float[radius]);
    stream.copyIn(host, 4L * (CELLS + 2L * radius), input.address());
    stream.synchronize();
    host.view(0, 16).putInt(0).putInt(CELLS).putInt(radius).putInt(radius);
    stream.copyIn(host, 16, table.address());
    stream.synchronize();
  }

  private boolean check(Work work) {
    stream.copyOut(output.address(), 4L * CELLS, host);
    stream.synchronize();
    FloatBuffer results = host.view(0, 4L * CELLS).asFloatBuffer();
    int radius = work.radius();
    for (int output : new int[] {0, 1, radius / 2, radius - 1}) {
      for (int position : new int[] {output, CELLS - 1 - output}) {
        if (!isRight(work, position, results.get(position))) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isRight(Work work, int position, float actual) {
    int first = Math.max(0, position - work.radius());
    int stop = Math.min(CELLS, position + work.radius() + 1);
    float least = cells[first];
    float sum = 0;
    for (int i = first; i < stop; i++) {
      least = Math.min(least, cells[i]);
      sum += cells[i];
    }
    if (work.reduction() == Reduction.MIN) {
      return actual == least;
    }
    float mean = sum / (stop - first);
    return work.accuracy() == Accuracy.EXACT
        ? actual == mean
        : Math.abs(actual - mean) <= (stop - first) * 0x1p-23f;
  }
}
