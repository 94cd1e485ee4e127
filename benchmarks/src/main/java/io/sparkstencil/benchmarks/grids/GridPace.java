/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.spark.grid.StencilGrid;
import java.util.function.IntToDoubleFunction;

/** A grid on its way, whose steps are timed; earlier states are given up. */
final class GridPace {
  private static final int WARM_UPS = 4;

  private StencilGrid latest;

  GridPace(StencilGrid first) {
    latest = first;
  }

  StencilGrid latest() {
    return latest;
  }

  /** Returns what is measured: the blocks of the grid, their engines and Spark's master. */
  String subject(String master) {
    String engines = String.join("+", latest.metrics().engines());
    return "%d blocks, %s, %s".formatted(latest.executors().size(), engines, master);
  }

  /** Takes steps and returns the seconds that they take. */
  double seconds(int steps) {
    return Turns.seconds(() -> latest = latest.step(steps));
  }

  /** Takes steps for some seconds, as each process has to compile its code first. */
  void warmUp(double seconds) {
    int steps = stepsOf(seconds / WARM_UPS);
    for (double taken = 0; taken < seconds; ) {
      taken += seconds(steps);
    }
  }

  /** Returns how many steps, whole supersteps, take about some seconds. */
  int stepsOf(double seconds) {
    return stepsOf(this::seconds, latest.stepsPerExchange(), seconds);
  }

  /** Returns how many steps, a multiple of some, take about some seconds. */
  static int stepsOf(IntToDoubleFunction run, int multiple, double seconds) {
    for (int steps = multiple; ; steps *= 4) {
      // the first run compiles
      double taken = Math.min(run.applyAsDouble(steps), run.applyAsDouble(steps));
      if (taken > 0.2 * seconds) {
        return (int) Math.max(1, Math.round(steps * seconds / taken / multiple)) * multiple;
      }
    }
  }
}
