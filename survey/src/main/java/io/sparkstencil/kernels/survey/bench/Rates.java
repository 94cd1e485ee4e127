/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey.bench;

import io.sparkstencil.kernels.codegen.survey.RateKernel;
import io.sparkstencil.kernels.codegen.survey.RateKernel.Operation;
import io.sparkstencil.kernels.codegen.survey.SharedLoadKernel;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;

/** Kernels that run one instruction: their launches, their counts, and what the CPU expects. */
public final class Rates {
  private static final int THREADS = 256;

  /** Blocks on a multiprocessor: 64 warps and more, as many as any device runs at once. */
  private static final int BLOCKS = 16;

  private static final int LANES = 32;

  private Rates() {}

  /** What was timed, and how much of it ran: instructions of lanes, or bytes. */
  public record RateRun(Timing timing, double amount) {
    /** Returns the amount over the time, in 1e9 a second. */
    public double rate() {
      return amount / timing.millis() / 1e6;
    }
  }

  /** Compares a block with the CPU, then times a launch that fills the device. */
  public static RateRun measure(Bench bench, Operation operation) {
    RateKernel kernel = new RateKernel(operation, bench.effort().turns(), THREADS);
    BenchLaunch work = BenchLaunch.of(kernel, bench.fill(BLOCKS), bench.arguments());
    int words = operation.isWide() ? 2 * THREADS : THREADS;
    int[] expected = new int[operation.isWide() ? 2 * LANES : LANES];
    if (operation.isWide()) {
      for (int lane = 0; lane < LANES; lane++) {
        long bits = Double.doubleToRawLongBits(wide(operation, kernel.turns(), lane));
        expected[2 * lane] = (int) bits;
        expected[2 * lane + 1] = (int) (bits >>> 32);
      }
    } else {
      expected = narrow(operation, kernel.turns());
    }
    int[] lanes = expected;
    bench.check(work.with(1), words, word -> lanes[word % lanes.length]);
    double instructions =
        (double) work.blocks() * THREADS * kernel.turns() * RateKernel.INSTRUCTIONS;
    return new RateRun(bench.time(work), instructions);
  }

  /** Compares a block with the CPU, then times a launch that fills the device; counts bytes. */
  public static RateRun measure(
      Bench bench, int unitBytes, int stride, SharedLoadKernel.Layout layout) {
    SharedLoadKernel kernel =
        new SharedLoadKernel(unitBytes, stride, layout, bench.effort().turns());
    BenchLaunch work = BenchLaunch.of(kernel, bench.fill(BLOCKS), bench.arguments());
    bench.check(work.with(1), SharedLoadKernel.THREADS, word -> sharedSum(kernel, word % LANES));
    double loads =
        (double) work.blocks() * SharedLoadKernel.THREADS * SharedLoadKernel.LOADS * kernel.turns();
    return new RateRun(bench.time(work), loads * unitBytes);
  }

  private static double wide(Operation operation, int turns, int lane) {
    double sum = 0;
    for (int chain = 0; chain < RateKernel.CHAINS; chain++) {
      double x = lane + chain + 1.0;
      for (int i = 0; i < turns * (RateKernel.INSTRUCTIONS / RateKernel.CHAINS); i++) {
        x =
            operation == Operation.F64_ADD
                ? x + RateKernel.STEP
                : Math.fma(x, RateKernel.FACTOR, RateKernel.STEP);
      }
      sum = chain == 0 ? x : sum + x;
    }
    return sum;
  }

  /** Returns what the lanes of a kernel of 32-bit operations store. */
  public static int[] narrow(Operation operation, int turns) {
    int rounds = turns * (RateKernel.INSTRUCTIONS / RateKernel.CHAINS);
    int[] results = new int[LANES];
    for (int lane = 0; lane < LANES; lane++) {
      results[lane] =
          switch (operation) {
            case F32_ADD, F32_FMA -> Float.floatToRawIntBits(single(operation, rounds, lane));
            case SHUFFLE -> shuffled(rounds, lane);
            default -> whole(operation, rounds, lane);
          };
    }
    return results;
  }

  /** Returns what a lane of a kernel of binary32 operations stores. */
  static float single(Operation operation, int rounds, int lane) {
    float sum = 0;
    for (int chain = 0; chain < RateKernel.CHAINS; chain++) {
      float x = lane + chain + 1.0f;
      for (int i = 0; i < rounds; i++) {
        x =
            operation == Operation.F32_ADD
                ? x + RateKernel.STEP
                : Math.fma(x, RateKernel.FACTOR, RateKernel.STEP);
      }
      sum = chain == 0 ? x : sum + x;
    }
    return sum;
  }

  private static int shuffled(int rounds, int lane) {
    int sum = 0;
    for (int chain = 0; chain < RateKernel.CHAINS; chain++) {
      sum += (lane + rounds) % LANES + chain + 1;
    }
    return sum;
  }

  private static int whole(Operation operation, int rounds, int lane) {
    int[] x = new int[RateKernel.CHAINS];
    for (int chain = 0; chain < x.length; chain++) {
      x[chain] = lane + chain + 1;
    }
    for (int i = 0; i < rounds * x.length; i++) {
      int chain = i % x.length;
      x[chain] =
          operation == Operation.I32_ADD
              ? x[chain] + x[(chain + 1) % x.length]
              : x[chain] * (lane + 3) + lane;
    }
    int sum = 0;
    for (int value : x) {
      sum += value;
    }
    return sum;
  }

  private static int sharedSum(SharedLoadKernel kernel, int lane) {
    int sum = 0;
    for (int turn = 0; turn < kernel.turns(); turn++) {
      for (int load = 0; load < SharedLoadKernel.LOADS; load++) {
        int tile = turn % 2 * SharedLoadKernel.LOADS + load;
        for (int i = 0; i < kernel.unitBytes() / Integer.BYTES; i++) {
          sum += SharedLoadKernel.word(tile, lane * kernel.stride() + i);
        }
      }
    }
    return sum;
  }
}
