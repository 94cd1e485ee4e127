/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.survey.RateKernel.Operation;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.BenchLaunch;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.kernels.variant.CacheHints;
import io.sparkstencil.kernels.variant.CoefficientPlacement;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ReductionForm;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.kernels.variant.StagingStrategy;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;

/** Sums of 2k + 1 whole numbers by the engine's own kernels: launches, bytes, predictions. */
final class WindowSums {
  private static final int LANES = 32;
  private static final int MOST_CHECKED = 1 << 14;

  /** The most registers that a thread can have where a multiprocessor runs 512 of them. */
  private static final int REGISTERS = 128;

  private final Bench bench;
  private final DeviceRates rates;
  private final int outputs;

  /**
   * Prepares sums of the whole input.
   *
   * @param widest the widest frame
   */
  WindowSums(Bench bench, DeviceRates rates, int widest) {
    this.bench = bench;
    this.rates = rates;
    this.outputs = bench.effort().arrayWords() - widest;
  }

  /** Returns what is computed. */
  static FlatStencil sum(int radius) {
    return new FlatStencil(
        Reduction.SUM, 2 * radius + 1, Weights.NONE, ElementType.I32, Accuracy.EXACT, false, 0);
  }

  /** Returns the register cache with several outputs per thread. */
  static KernelSchedule coarsened(int cellsPerThread) {
    return new KernelSchedule(
        StagingStrategy.REGISTER_CACHE_ROUND_ROBIN,
        256,
        cellsPerThread,
        Integer.BYTES,
        CoefficientPlacement.IMMEDIATE,
        ReductionForm.SEQUENTIAL,
        CacheHints.NONE,
        REGISTERS,
        0);
  }

  /** Returns the schedule that the engine chooses. */
  KernelSchedule selected(FlatStencil what) {
    DeviceTraits device =
        new DeviceTraits(bench.traits().capability(), bench.traits().sharedBytesPerBlock());
    return ScheduleSelector.select(device, what);
  }

  /** Returns the bytes of local memory of a thread: above 0, registers were spilled. */
  int localBytes(FlatStencil what, KernelSchedule how) {
    return bench.kernel(new KernelVariant(what, how)).function().localBytes();
  }

  /** Compares some outputs with the CPU, then times all. */
  Timing measure(FlatStencil what, KernelSchedule how) {
    KernelVariant variant = new KernelVariant(what, how);
    int checked = Math.min(outputs, MOST_CHECKED);
    bench.check(
        work(variant, checked),
        checked,
        first -> {
          int sum = 0;
          for (int i = 0; i < what.width(); i++) {
            sum += Bench.inputWord(first + i);
          }
          return sum;
        });
    return bench.time(work(variant, outputs));
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

  /** Returns the bytes that are read and written at least. */
  double bytes() {
    return 2.0 * Integer.BYTES * outputs;
  }

  /** Returns the predicted GB/s of one output per thread: memory, additions, exchanges. */
  double predicted(FlatStencil what, StagingStrategy staging, int cellsPerThread) {
    double loaded = 1;
    double exchanges = what.width();
    if (staging == StagingStrategy.REGISTER_CACHE_ROUND_ROBIN) {
      loaded = loadedPerOutput(what.width(), cellsPerThread);
    } else {
      exchanges += 1; // each cell is stored before it is loaded
    }
    double exchangeRate =
        staging == StagingStrategy.REGISTER_CACHE_ROUND_ROBIN
            ? rates.instructions(Operation.SHUFFLE)
            : rates.shared() / Integer.BYTES;
    double nanos =
        Math.max(
            Integer.BYTES * (1 + loaded) / rates.copy(),
            Math.max(
                exchanges / exchangeRate, what.width() / rates.instructions(Operation.I32_ADD)));
    return 2 * Integer.BYTES / nanos;
  }

  /** Returns the cells that a warp loads for each output: frames at its end reach further. */
  static double loadedPerOutput(int width, int cellsPerThread) {
    double own = (double) LANES * cellsPerThread;
    return (own + width - 1) / own;
  }
}
