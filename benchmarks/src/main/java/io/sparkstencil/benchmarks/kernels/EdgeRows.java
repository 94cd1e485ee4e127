/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import static io.sparkstencil.model.ElementType.F32;

import io.sparkstencil.benchmarks.loops.LoopWork;
import io.sparkstencil.benchmarks.loops.TapLoops;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
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
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.StencilSpec;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * What the outputs of cut frames cost: the edge kernel over one series of 2^20 cells, beside the
 * kernel over all its cells. Some outputs of each kind are checked.
 */
final class EdgeRows implements AutoCloseable {
  private static final int CELLS = 1 << 20;
  private static final int[] RADII = {100, 300, 1000, 10_000, 100_000};
  private static final List<String> OPERATIONS = List.of("min/exact", "mean/fast", "mean/exact");
  private static final int SAMPLES = 7;
  private static final int LAUNCHES_PER_SAMPLE = 3;

  private final KernelCache kernels;
  private final DeviceTraits traits;
  private final CloseScope scope = new CloseScope();
  private final CudaStream stream;
  private final LaunchTimer timer;
  private final PinnedBuffer host;
  private final DeviceBuffer input;
  private final DeviceBuffer output;
  private final DeviceBuffer table;
  private final float[] cells = (float[]) work("min/exact", 1).cells(CELLS, 3);

  private EdgeRows(PrimaryContext context, KernelCache kernels, DeviceTraits traits) {
    this.kernels = kernels;
    this.traits = traits;
    long bytes = 4L * (CELLS + 2 * RADII[RADII.length - 1] + 4);
    stream = scope.add(context.newStream());
    timer = scope.add(new LaunchTimer(context, stream, SAMPLES, LAUNCHES_PER_SAMPLE));
    host = scope.add(context.allocatePinned(bytes));
    input = scope.add(context.allocateDevice(bytes));
    output = scope.add(context.allocateDevice(bytes));
    table = scope.add(context.allocateDevice(16));
  }

  static void measure(
      PrimaryContext context,
      KernelCache kernels,
      DeviceTraits traits,
      Consumer<BenchmarkRow> rows) {
    try (EdgeRows edges = new EdgeRows(context, kernels, traits)) {
      for (int radius : RADII) {
        OPERATIONS.forEach(operation -> edges.measure(work(operation, radius), rows));
      }
    }
  }

  private static LoopWork work(String operation, int radius) {
    return LoopWork.parse("%s/f32/k=%d".formatted(operation, radius));
  }

  private void measure(LoopWork work, Consumer<BenchmarkRow> rows) {
    int radius = work.radius();
    upload(radius);
    LaunchArguments arguments =
        KernelRig.arguments(CELLS + 2 * radius, work.width())
            .set(KernelParameter.INPUT, input.address())
            .set(KernelParameter.OUTPUT, output.address())
            .set(KernelParameter.PIECES, table.address())
            .set(KernelParameter.PIECE_COUNT, 1)
            .set(KernelParameter.LEFT, radius)
            .set(KernelParameter.RIGHT, radius)
            .set(KernelParameter.PRECEDING, radius)
            .set(KernelParameter.FOLLOWING, radius);
    FlatStencil what = KernelWork.of(work).what();
    KernelVariant variant = new KernelVariant(what, ScheduleSelector.select(traits, what));
    LoadedKernel bulk = kernels.get(variant, () -> KernelGenerator.generate(variant));
    double wholeMillis = timer.time(launch -> bulk.launch(stream, CELLS, arguments)).millis();
    StencilSpec cut = new StencilSpec(work.spec().stencil().withBoundary(Boundary.SHRINK), F32);
    for (EdgeVariant.Form form : EdgeVariant.Form.values()) {
      if (form == EdgeVariant.Form.SHARED_CORE && !what.groupsFreely()) {
        continue;
      }
      EdgeVariant edges = new EdgeVariant(EdgeVariant.Task.VALUES, work.reduction(), F32, form);
      LoadedKernel kernel = kernels.get(edges, () -> EdgeKernel.generate(edges));
      LaunchTimer.Timing timing =
          timer.time(
              launch -> kernel.launch(stream, edges.gridX(2 * radius), edges.gridY(1), arguments));
      boolean chosen = EdgeVariant.of(cut, false).orElseThrow().equals(edges);
      String subject = form.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      rows.accept(
          new KernelRig.Measured(timing, isRight(work), chosen ? "chosen" : "")
              .row("kernel/edges/" + work, subject, "kernel over all cells", wholeMillis));
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

  private boolean isRight(LoopWork work) {
    stream.copyOut(output.address(), 4L * CELLS, host);
    stream.synchronize();
    FloatBuffer results = host.view(0, 4L * CELLS).asFloatBuffer();
    int radius = work.radius();
    return IntStream.of(0, 1, radius / 2, radius - 1)
        .flatMap(output -> IntStream.of(output, CELLS - 1 - output))
        .allMatch(position -> isRight(work, position, results.get(position)));
  }

  /** Compares a result with that of a frame that is cut where the series ends. */
  private boolean isRight(LoopWork work, int position, float actual) {
    int first = Math.max(0, position - work.radius());
    int stop = Math.min(CELLS, position + work.radius() + 1);
    float[] frame = Arrays.copyOfRange(cells, first, stop);
    Object expected = TapLoops.apply(work.reduction(), false, new double[frame.length], frame);
    return work.wrong(expected, new float[] {actual}) == 0;
  }

  @Override
  public void close() {
    scope.close();
  }
}
