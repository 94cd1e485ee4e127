/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.BlockSteps.Samples;
import io.sparkstencil.grid.Receiver;
import io.sparkstencil.spark.grid.tasks.BlockResult.StepSamples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the receivers of a grid have sampled, on the driver. Safe for many threads. */
final class GridSamples {
  private final long firstStep;
  private final List<Receiver> receivers;
  private final List<double[]> values = new ArrayList<>();

  /**
   * Creates samples that begin after a number of steps, or go on from earlier ones.
   *
   * @param earlier samples up to that step; those of other receivers are left out, and those that
   *     receivers do not have are NaN
   */
  GridSamples(long step, List<Receiver> receivers, Optional<SampleSeries> earlier) {
    this.receivers = receivers;
    Optional<SampleSeries> known =
        earlier.filter(series -> receivers.stream().anyMatch(each -> series.of(each).isPresent()));
    firstStep = known.map(SampleSeries::firstStep).orElse(step);
    for (Receiver receiver : receivers) {
      double[] none = new double[Math.toIntExact(step - firstStep)];
      Arrays.fill(none, Double.NaN);
      values.add(known.flatMap(series -> series.of(receiver)).orElse(none));
    }
  }

  /** Adds samples; those of steps that were sampled before are the same. */
  synchronized void add(StepSamples added) {
    Samples samples = added.samples();
    int at = Math.toIntExact(added.firstStep() - firstStep);
    int end = at + samples.values().length;
    double[] all = values.get(samples.receiver());
    if (at >= 0) {
      if (all.length < end) {
        all = Arrays.copyOf(all, Math.max(end, all.length + all.length / 2));
        values.set(samples.receiver(), all);
      }
      System.arraycopy(samples.values(), 0, all, at, samples.values().length);
    }
  }

  /** Returns the samples up to a step. */
  synchronized SampleSeries seriesUpTo(long step) {
    int length = Math.toIntExact(Math.max(0, step - firstStep));
    return new SampleSeries(
        firstStep, receivers, values.stream().map(all -> Arrays.copyOf(all, length)).toList());
  }

  /** Returns the samples up to a step, by the names of the receivers, in their order. */
  Map<String, double[]> upTo(long step) {
    List<double[]> series = seriesUpTo(step).values();
    Map<String, double[]> all = new LinkedHashMap<>();
    for (int i = 0; i < receivers.size(); i++) {
      all.put(receivers.get(i).name(), series.get(i));
    }
    return all;
  }
}
