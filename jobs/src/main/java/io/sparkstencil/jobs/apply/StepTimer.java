/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Wall-clock seconds of the steps of a job, in the order of running. */
public final class StepTimer {
  private final Map<String, Double> secondsByStep = new LinkedHashMap<>();

  /** Runs a step and returns what it returns. */
  public <T> T step(String name, Supplier<T> work) {
    long start = System.nanoTime();
    T result = work.get();
    secondsByStep.merge(name, (System.nanoTime() - start) / 1e9, Double::sum);
    return result;
  }

  /** Runs a step. */
  public void step(String name, Runnable work) {
    step(
        name,
        () -> {
          work.run();
          return null;
        });
  }

  /** Returns the seconds of the steps so far. */
  Map<String, Double> secondsByStep() {
    return secondsByStep;
  }
}
