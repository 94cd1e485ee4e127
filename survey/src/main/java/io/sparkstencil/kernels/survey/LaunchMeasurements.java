/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.CudaGraph;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.kernels.codegen.survey.EmptyKernel;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.BenchLaunch;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.SurveyChart;
import java.util.List;

/** What launches and events cost when nothing is computed. */
final class LaunchMeasurements {
  private static final String UNPREDICTED = "nothing predicts what a driver takes";
  private static final int[] COUNTS = {1, 4, 16, 64, 256, 1024};

  private LaunchMeasurements() {}

  /** Returns the chart: microseconds of one of many in a row, until all are done. */
  static SurveyChart chart(Bench bench) {
    BenchLaunch empty = BenchLaunch.of(new EmptyKernel(), 1, new LaunchArguments());
    CurveBuilder launches = new CurveBuilder("launch by launch", UNPREDICTED);
    CurveBuilder graphs = new CurveBuilder("a graph of launches", UNPREDICTED);
    CurveBuilder events = new CurveBuilder("event", UNPREDICTED);
    try (CudaEvent event = bench.context().newEvent()) {
      for (int count : bench.effort().sweep(COUNTS)) {
        Timing launched = bench.timeOnHost(() -> repeat(bench, count, () -> bench.launch(empty)));
        launches.duration(count, 1e3 / count, launched, Double.NaN);
        graphs.duration(count, 1e3 / count, graph(bench, count, empty), Double.NaN);
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
        List.of(launches.build(), graphs.build(), events.build()),
        List.of());
  }

  /** Returns what one of many launches in a row takes. */
  static double micros(Bench bench) {
    BenchLaunch empty = BenchLaunch.of(new EmptyKernel(), 1, new LaunchArguments());
    int count = COUNTS[COUNTS.length - 1];
    Timing all = bench.timeOnHost(() -> repeat(bench, count, () -> bench.launch(empty)));
    return 1e3 * all.millis() / count;
  }

  /** Times a graph of so many launches, which the driver has seen before. */
  private static Timing graph(Bench bench, int count, BenchLaunch empty) {
    CudaStream stream = bench.stream();
    Runnable launches =
        () -> {
          for (int i = 0; i < count; i++) {
            bench.launch(empty);
          }
        };
    try (CudaGraph graph = bench.context().record(stream, launches)) {
      return bench.timeOnHost(
          () -> {
            graph.launch(stream);
            stream.synchronize();
          });
    }
  }

  private static void repeat(Bench bench, int count, Runnable work) {
    for (int i = 0; i < count; i++) {
      work.run();
    }
    bench.stream().synchronize();
  }
}
