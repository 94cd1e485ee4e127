/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.BenchLaunch;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.kernels.variant.SearchSpace;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;
import java.util.Optional;

/** Weighted sums of doubles, products fused, by the engine's own kernels. */
final class FusedSums {
  private static final int MOST_CHECKED = 1 << 12;

  private final Bench bench;
  private final DeviceTraits device;
  private final int widest;

  /**
   * Prepares sums of the whole input.
   *
   * @param widest the widest frame
   */
  FusedSums(Bench bench, int widest) {
    this.bench = bench;
    this.widest = widest;
    device = new DeviceTraits(bench.traits().capability(), bench.traits().sharedBytesPerBlock());
  }

  /** Returns what is computed. */
  static FlatStencil sum(int taps) {
    double[] weights = new double[taps];
    for (int i = 0; i < taps; i++) {
      weights[i] = 1.0 / (i + 3);
    }
    return new FlatStencil(
        Reduction.WEIGHTED_SUM, taps, Weights.of(weights), ElementType.F64, Accuracy.FMA, false, 0);
  }

  /** Returns the schedule that the engine chooses on a device without tensor cores. */
  KernelSchedule plain(FlatStencil what) {
    return ScheduleSelector.select(device.withTensorCores(false), what);
  }

  /** Returns a schedule for tensor cores, if the device has any for doubles. */
  Optional<KernelSchedule> onTensorCores(FlatStencil what) {
    return SearchSpace.candidates(device, what).stream()
        .filter(how -> how.form().matrices().isPresent())
        .filter(how -> how.threadsPerBlock() == 64 && how.cellsPerThread() == 16)
        .findFirst();
  }

  /** What was timed, and the outputs of a launch. */
  record TimedSums(Timing timing, int outputs) {}

  /** Compares some outputs with the CPU, then times all. */
  TimedSums measure(FlatStencil what, KernelSchedule how) {
    KernelVariant variant = new KernelVariant(what, how);
    long most = (long) bench.effort().mostBlocks() * how.outputsPerBlock();
    int outputs = (int) Math.min(most, bench.effort().arrayWords() / 2 - widest);
    int checked = Math.min(outputs, MOST_CHECKED);
    long[] expected = new long[checked];
    for (int first = 0; first < checked; first++) {
      double sum = 0;
      for (int i = 0; i < what.width(); i++) {
        sum = Math.fma(what.weights().get(i), cell(first + i), sum);
      }
      expected[first] = Double.doubleToRawLongBits(sum + 0.0);
    }
    bench.check(
        work(variant, checked),
        2 * checked,
        word -> (int) (expected[word / 2] >>> (word % 2 * 32)));
    return new TimedSums(bench.time(work(variant, outputs)), outputs);
  }

  /** Returns a cell of the input, two words of it taken as one double. */
  private static double cell(int index) {
    long low = Bench.inputWord(2 * index) & 0xFFFF_FFFFL;
    return Double.longBitsToDouble(((long) Bench.inputWord(2 * index + 1) << 32) | low);
  }

  private BenchLaunch work(KernelVariant variant, int positions) {
    LoadedKernel kernel = bench.kernel(variant);
    LaunchArguments arguments =
        bench
            .arguments()
            .set(KernelParameter.STAGED_CELLS, positions + variant.what().width() - 1)
            .set(KernelParameter.POSITIONS, positions)
            .set(KernelParameter.SHIFT, 0);
    return BenchLaunch.of(variant, kernel.generated().blocks(positions), arguments);
  }
}
