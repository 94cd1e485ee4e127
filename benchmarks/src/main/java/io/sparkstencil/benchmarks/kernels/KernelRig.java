/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

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
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.model.ElementType;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

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
  private final KernelReference reference;

  KernelRig(
      PrimaryContext context, KernelCache kernels, PinnedBuffer host, ElementType type, int cells) {
    this.context = context;
    this.kernels = kernels;
    this.host = host;
    this.type = type;
    this.cells = cells;
    this.stream = context.newStream();
    long bytes = bytes();
    float[] floats = type == ElementType.F32 ? new float[cells + WIDEST] : null;
    double[] doubles = type == ElementType.F64 ? new double[cells + WIDEST] : null;
    fillRandomly(floats, doubles, host.view(0, bytes));
    this.reference = new KernelReference(floats, doubles, cells);
    this.buffers = new RotatingBuffers(context, SETS, SETS, bytes);
    for (int i = 0; i < SETS; i++) {
      stream.copyIn(host, bytes, buffers.input(i));
    }
    stream.synchronize();
  }

  private long bytes() {
    return (long) (cells + WIDEST) * type.bytes();
  }

  private static void fillRandomly(float[] floats, double[] doubles, ByteBuffer staged) {
    int count = floats != null ? floats.length : doubles.length;
    int chunk = 1 << 20;
    IntStream.range(0, (count + chunk - 1) / chunk)
        .parallel()
        .forEach(
            part -> {
              Random random = new Random(part);
              for (int i = part * chunk; i < Math.min(count, (part + 1) * chunk); i++) {
                double cell = random.nextInt() * 0x1p-31;
                if (floats != null) {
                  floats[i] = (float) cell;
                } else {
                  doubles[i] = cell;
                }
              }
            });
    if (floats != null) {
      FloatBuffer target = staged.asFloatBuffer();
      target.put(floats);
    } else {
      DoubleBuffer target = staged.asDoubleBuffer();
      target.put(doubles);
    }
  }

  /** Returns the row of a time in milliseconds, whose ratio is with that of a peer. */
  static BenchmarkRow row(
      String name,
      String subject,
      String against,
      LaunchTimer.Timing timing,
      double peerMillis,
      boolean checked,
      String note) {
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

  /** A time, and whether the result of that run was right. */
  record Measured(LaunchTimer.Timing timing, boolean checked, String note) {}

  /** Times a variant, poisoning the outputs before and checking all of them after. */
  Measured measure(KernelVariant variant) {
    LaunchTimer.Timing timing = timeAndFetch(variant);
    long wrong = reference.wrong(variant.what(), host.view(0, resultBytes()));
    return new Measured(
        timing,
        wrong == 0,
        "%s%s"
            .formatted(
                wrong == 0 ? "" : wrong + " of " + cells + " results wrong; ",
                variant.how().label()));
  }

  /**
   * Times an exact mean over cells that all have the same bits, a byte repeated. The cells that
   * were there are gone after that.
   */
  Measured measureAlike(KernelVariant variant, byte repeated) {
    buffers.fillInputs(stream, repeated);
    LaunchTimer.Timing timing = timeAndFetch(variant);
    long wrong = reference.wrongMeanOfAlike(variant.what(), repeated, host.view(0, resultBytes()));
    return new Measured(timing, wrong == 0, wrong + " results wrong");
  }

  /** Times a variant over poisoned outputs, the last of which are on the host afterwards. */
  private LaunchTimer.Timing timeAndFetch(KernelVariant variant) {
    LoadedKernel kernel = kernels.get(variant, () -> KernelGenerator.generate(variant));
    buffers.fillOutputs(stream, POISON);
    LaunchTimer.Timing timing =
        time(timer -> timer.time(kernel, cells, argumentsFor(variant.what()), buffers));
    stream.copyOut(buffers.output(SETS - 1), resultBytes(), host);
    stream.synchronize();
    return timing;
  }

  private long resultBytes() {
    return (long) cells * type.bytes();
  }

  private LaunchArguments argumentsFor(FlatStencil what) {
    return new LaunchArguments()
        .set(KernelParameter.STAGED_CELLS, cells + what.width() - 1)
        .set(KernelParameter.POSITIONS, cells)
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
