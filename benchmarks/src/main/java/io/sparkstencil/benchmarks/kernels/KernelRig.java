/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.loops.LoopWork;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.tuning.LaunchTimer;
import io.sparkstencil.kernels.tuning.RotatingBuffers;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.model.ElementType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Function;

/** Cells of one type on the device, in two copies that launches take in turn, and on the host. */
final class KernelRig implements AutoCloseable {
  static final int WIDEST = 513;

  private static final int SETS = 2;
  private static final int SAMPLES = 15;
  private static final int LAUNCHES_PER_SAMPLE = 4;
  private static final int SLOW_SAMPLES = 5;
  private static final double SLOW_MILLIS = 2;
  private static final byte POISON = (byte) 0xFF;

  private final PrimaryContext context;
  private final KernelCache kernels;
  private final ElementType type;
  private final int cells;
  private final CudaStream stream;
  private final PinnedBuffer host;
  private final RotatingBuffers buffers;
  private final Object all; // the cells: float[] or double[]
  private final KernelReference reference;

  KernelRig(
      PrimaryContext context, KernelCache kernels, PinnedBuffer host, ElementType type, int cells) {
    this.context = context;
    this.kernels = kernels;
    this.host = host;
    this.type = type;
    this.cells = cells;
    this.stream = context.newStream();
    long bytes = (long) (cells + WIDEST) * type.bytes();
    all = LoopWork.parse("mean/exact/%s/k=1".formatted(type)).cells(cells + WIDEST, 1);
    upload(bytes);
    this.reference = new KernelReference(type, all, cells);
    this.buffers = new RotatingBuffers(context, SETS, SETS, bytes);
    for (int i = 0; i < SETS; i++) {
      stream.copyIn(host, bytes, buffers.input(i));
    }
    stream.synchronize();
  }

  private void upload(long bytes) {
    ByteBuffer staged = host.view(0, bytes);
    if (all instanceof float[] floats) {
      staged.asFloatBuffer().put(floats);
    } else {
      staged.asDoubleBuffer().put((double[]) all);
    }
  }

  /** A time, and whether the result of that run was right. */
  record Measured(LaunchTimer.Timing timing, boolean checked, String note) {
    /** Returns the row of the time in milliseconds, whose ratio is with that of a peer. */
    BenchmarkRow row(String name, String subject, String against, double peerMillis) {
      return new BenchmarkRow(
          name,
          subject,
          against,
          timing.millis(),
          "ms",
          peerMillis / timing.millis(),
          timing.spread(),
          timing.samples(),
          checked,
          note);
    }
  }

  /** Times a variant, poisoning the outputs before and checking all of them after. */
  Measured measure(LoopWork work, KernelVariant variant) {
    LaunchTimer.Timing timing = timeAndFetch(variant);
    long wrong = reference.wrong(work, host.view(0, resultBytes()));
    String note = wrong == 0 ? "" : "%d of %d results WRONG; ".formatted(wrong, cells);
    return new Measured(timing, wrong == 0, note + variant.how().label());
  }

  /** Gives all cells the same bits, a byte repeated; those that were there are gone then. */
  void makeAlike(byte repeated) {
    buffers.fillInputs(stream, repeated);
    long bits = 0x0101010101010101L * repeated;
    if (all instanceof float[] floats) {
      Arrays.fill(floats, Float.intBitsToFloat((int) bits));
    } else {
      Arrays.fill((double[]) all, Double.longBitsToDouble(bits));
    }
    reference.cellsHaveChanged();
  }

  /** Times a variant over poisoned outputs, the last of which are on the host afterwards. */
  private LaunchTimer.Timing timeAndFetch(KernelVariant variant) {
    LoadedKernel kernel = kernels.get(variant, () -> KernelGenerator.generate(variant));
    buffers.fillOutputs(stream, POISON);
    int width = variant.what().width();
    LaunchArguments arguments = arguments(cells + width - 1, width);
    LaunchTimer.Timing timing = time(timer -> timer.time(kernel, cells, arguments, buffers));
    stream.copyOut(buffers.output(SETS - 1), resultBytes(), host);
    stream.synchronize();
    return timing;
  }

  private long resultBytes() {
    return (long) cells * type.bytes();
  }

  /** Returns the arguments, all but input and output, over as many staged cells. */
  static LaunchArguments arguments(int staged, int width) {
    return new LaunchArguments()
        .set(KernelParameter.STAGED_CELLS, staged)
        .set(KernelParameter.POSITIONS, staged - width + 1)
        .set(KernelParameter.SHIFT, 0);
  }

  /** Times the driver's copy. */
  LaunchTimer.Timing timeDriverCopy() {
    long bytes = resultBytes();
    return time(
        timer ->
            timer.time(
                launch -> stream.copy(buffers.input(launch), bytes, buffers.output(launch))));
  }

  /** Times a copy kernel over as many bytes. */
  LaunchTimer.Timing timeCopyKernel(LoadedKernel kernel) {
    int units = Math.toIntExact(resultBytes() / 16);
    LaunchArguments arguments = new LaunchArguments().set(KernelParameter.POSITIONS, units);
    return time(timer -> timer.time(kernel, units, arguments, buffers));
  }

  private LaunchTimer.Timing time(Function<LaunchTimer, LaunchTimer.Timing> measurement) {
    try (LaunchTimer probe = new LaunchTimer(context, stream, 1, 1)) {
      boolean slow = measurement.apply(probe).millis() > SLOW_MILLIS;
      try (LaunchTimer timer =
          new LaunchTimer(
              context, stream, slow ? SLOW_SAMPLES : SAMPLES, slow ? SETS : LAUNCHES_PER_SAMPLE)) {
        return measurement.apply(timer);
      }
    }
  }

  @Override
  public void close() {
    buffers.close();
    stream.close();
  }
}
