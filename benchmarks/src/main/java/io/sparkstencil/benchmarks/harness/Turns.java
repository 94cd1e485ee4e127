/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.harness;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/**
 * Measurements that take turns, so that neither their order nor what disturbs the machine favours
 * any of them.
 */
public final class Turns {
  private Turns() {}

  /**
   * Measures every subject in each turn.
   *
   * @param warmUps turns whose measurements do not count
   * @param repeats the measurements of a subject that count
   * @return those, by subject
   */
  public static <S> Map<S, List<Double>> measure(
      Collection<S> subjects,
      int warmUps,
      ToIntFunction<S> repeats,
      ToDoubleFunction<S> measurement) {
    Map<S, List<Double>> values = new LinkedHashMap<>();
    subjects.forEach(subject -> values.put(subject, new ArrayList<>()));
    int turns = subjects.stream().mapToInt(repeats).max().orElse(0);
    for (int turn = -warmUps; turn < turns; turn++) {
      for (S subject : subjects) {
        if (turn < repeats.applyAsInt(subject)) {
          double value = measurement.applyAsDouble(subject);
          values.get(subject).addAll(turn < 0 ? List.of() : List.of(value));
        }
      }
    }
    return values;
  }

  /** Returns the seconds that {@code work} takes. */
  public static double seconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) * 1e-9;
  }
}
