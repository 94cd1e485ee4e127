/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.survey.RateKernel;
import io.sparkstencil.kernels.codegen.survey.RateKernel.Operation;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.survey.bench.FindingBuilder;
import io.sparkstencil.kernels.survey.bench.Rates;
import io.sparkstencil.kernels.survey.bench.SurveyExperiment;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Claim;
import io.sparkstencil.survey.Claim.Verdict;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.SurveyChart;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What runs at the same time: kernels in streams, copies beside kernels; and what contexts cost.
 */
final class ConcurrencyExperiment implements SurveyExperiment {
  private static final int[] STREAMS = {1, 2, 4, 8, 16, 32};
  private static final int MOST_STREAMS = 32;
  private static final int THREADS = 128;

  /** Calls of the driver that are timed together. */
  private static final int CALLS = 100;

  @Override
  public Experiment experiment() {
    return new Experiment(
        "concurrency",
        "Streams, overlap and contexts",
        "How many small kernels run at once, and how much of copies is hidden behind each other?",
        "1 to 32 kernels of one block, each as long as the other, in as many streams or in one; the"
            + " prediction is the time of one kernel, or that times their number. A copy to the device,"
            + " a kernel and a copy back for each chunk of an array, in three streams or in one; the"
            + " prediction is the slower direction of the link, or the sum of all. The time of pushing"
            + " and popping the primary context, and of retaining and releasing it while it is held.",
        "CUDA C++ Programming Guide: kernels run concurrently in streams other than the default;"
            + " copies overlap with kernels. Work of different contexts is time-sliced: libraries retain"
            + " the primary context, push it and pop it.",
        "the number of streams, the size of batches, entering the context once for several calls");
  }

  @Override
  public FindingBuilder answer(Bench bench, DeviceRates rates) {
    List<Curve> kernels = kernels(bench);
    OverlapMeasurements overlap = new OverlapMeasurements(bench, rates);
    SurveyChart chunks = overlap.chart();
    SurveyChart contexts = contexts(bench);
    int last = kernels.get(0).points().size() - 1;
    double speedup = kernels.get(1).points().get(last).y() / kernels.get(0).points().get(last).y();
    double count = kernels.get(0).points().get(last).x();
    double hidden =
        CurveBuilder.greatest(chunks.curves().get(0))
            / CurveBuilder.greatest(chunks.curves().get(1));
    double pushMicros = contexts.curves().get(0).points().get(0).y();
    String meaning =
        FindingBuilder.text(
            "%.0f small kernels in streams of their own take 1/%.1f of the time of one stream; three streams move data %.2f times as fast as one; pushing and popping the context takes %.2f us.",
            count, speedup, hidden, pushMicros);
    return new FindingBuilder(
        List.of(
            new SurveyChart(
                "streams",
                "Small kernels",
                new Axis("kernels", "", true),
                new Axis("time of all", "us", true),
                kernels,
                List.of()),
            chunks,
            contexts),
        List.of(streamsClaim(speedup, count), overlapClaim(hidden)),
        meaning);
  }

  private static List<Curve> kernels(Bench bench) {
    RateKernel key = new RateKernel(Operation.F32_FMA, 4 * bench.effort().turns(), THREADS);
    LoadedKernel kernel = bench.kernel(key);
    int[] counts = bench.effort().sweep(STREAMS);
    CurveBuilder separate =
        new CurveBuilder(
            "in streams of their own", "launches take turns, or too few can run at once");
    CurveBuilder together = new CurveBuilder("in one stream", "gaps between kernels");
    try (CloseScope owned = new CloseScope()) {
      List<CudaStream> streams = new ArrayList<>();
      for (int i = 0; i < MOST_STREAMS; i++) {
        streams.add(owned.add(bench.context().newStream()));
      }
      double one = 0;
      for (int count : counts) {
        List<CudaStream> own = streams.subList(0, count);
        bench.poison(count * THREADS);
        Timing timing = bench.timeOnHost(() -> run(bench, kernel, own));
        check(bench, key, count);
        one = one == 0 ? timing.millis() / count : one;
        separate.duration(count, 1e3, timing, 1e3 * one);
        List<CudaStream> same = Collections.nCopies(count, streams.get(0));
        Timing inOne = bench.timeOnHost(() -> run(bench, kernel, same));
        together.duration(count, 1e3, inOne, 1e3 * one * count);
      }
    }
    return List.of(separate.build(), together.build());
  }

  /** Launches a block in each stream, each with results of its own, and waits for all. */
  private static void run(Bench bench, LoadedKernel kernel, List<CudaStream> streams) {
    for (int i = 0; i < streams.size(); i++) {
      long output = bench.output() + (long) i * THREADS * Float.BYTES;
      LaunchArguments arguments = new LaunchArguments().set(KernelParameter.OUTPUT, output);
      kernel.launch(streams.get(i), 1, 1, arguments);
    }
    streams.forEach(CudaStream::synchronize);
  }

  private static void check(Bench bench, RateKernel key, int count) {
    int[] lanes = Rates.narrow(key.operation(), key.turns());
    int[] found = bench.read(count * THREADS);
    bench.compare(key.entryName(), found, word -> lanes[word % lanes.length]);
  }

  private static SurveyChart contexts(Bench bench) {
    CurveBuilder pushes = new CurveBuilder("push and pop", "nothing predicts what a driver takes");
    Timing pushed =
        bench.timeOnHost(
            () -> {
              for (int i = 0; i < CALLS; i++) {
                bench.context().enter();
                bench.context().leave();
              }
            });
    pushes.duration(1, 1e3 / CALLS, pushed, Double.NaN);
    CurveBuilder retains =
        new CurveBuilder("retain and release", "nothing predicts what a driver takes");
    Timing retained =
        bench.timeOnHost(
            () -> {
              for (int i = 0; i < CALLS; i++) {
                bench.retainAgain();
              }
            });
    retains.duration(2, 1e3 / CALLS, retained, Double.NaN);
    return new SurveyChart(
        "contexts",
        "Calls around the primary context",
        new Axis("number of the call", "", false),
        new Axis("each", "us", true),
        List.of(pushes.build(), retains.build()),
        List.of());
  }

  /** Judges how much faster kernels are in streams of their own. */
  static Claim streamsClaim(double speedup, double kernels) {
    return new Claim(
        "Kernels run concurrently in streams other than the default (CUDA C++ Programming Guide).",
        speedup >= 0.5 * kernels ? Verdict.YES : speedup > 1.2 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text(
            "%.0f kernels are %.1f times as fast as in one stream", kernels, speedup));
  }

  /** Judges how much faster copies are beside each other and kernels. */
  static Claim overlapClaim(double speedup) {
    return new Claim(
        "Copies overlap with kernels and with copies the other way (CUDA C++ Best Practices Guide).",
        speedup >= 1.5 ? Verdict.YES : speedup > 1.1 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("%.2f times as fast as without overlap", speedup));
  }
}
