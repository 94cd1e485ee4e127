/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.kernels.codegen.survey.EmptyKernel;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.survey.bench.Work;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.SurveyChart;
import java.util.List;

/** What launches and events cost when nothing is computed. */
final class LaunchMeasurements {
  private static final int[] COUNTS = {1, 4, 16, 64, 256, 1024};

  private LaunchMeasurements() {}

  /** Returns the chart: microseconds of one of many in a row, until all are done. */
  static SurveyChart chart(Bench bench) {
    Work empty = Work.of(new EmptyKernel(), 1, new LaunchArguments());
    CurveBuilder launches =
        new CurveBuilder("empty kernel", "graphs of launches are not reached by this engine");
    CurveBuilder events = new CurveBuilder("event", "nothing predicts what a driver takes");
    try (CudaEvent event = bench.context().newEvent()) {
      for (int count : bench.effort().sweep(COUNTS)) {
        Timing launched = bench.timeOnHost(() -> repeat(bench, count, () -> bench.launch(empty)));
        launches.duration(count, 1e3 / count, launched, Double.NaN);
        Timing recorded =
            bench.timeOnHost(() -> repeat(bench, count, () -> event.record(bench.stream())));
        events.duration(count, 1e3 / count, recorded, Double.NaN);
      }
    }
    return new SurveyChart(
        "launches",
        "Launches and events",
        new Axis("in a row", "", true),
        new Axis("each", "us", true),
        List.of(launches.build(), events.build()),
        List.of());
  }

  private static void repeat(Bench bench, int count, Runnable work) {
    for (int i = 0; i < count; i++) {
      work.run();
    }
    bench.stream().synchronize();
  }
}
