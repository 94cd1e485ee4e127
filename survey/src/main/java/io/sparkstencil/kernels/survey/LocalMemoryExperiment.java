/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.survey.LocalArrayKernel;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.BenchLaunch;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.survey.bench.FindingBuilder;
import io.sparkstencil.kernels.survey.bench.SurveyExperiment;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Claim;
import io.sparkstencil.survey.Claim.Verdict;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.SurveyChart;
import java.util.List;

/** What registers that spill to local memory cost. */
final class LocalMemoryExperiment implements SurveyExperiment {
  private static final int[] WORDS = {4, 8, 16, 32, 64, 128, 256};
  private static final int THREADS = LocalArrayKernel.THREADS;
  private static final int CHECKED_BLOCKS = 4;

  /** So that a point takes milliseconds. */
  private static final int MOST_BLOCKS = 1 << 15;

  @Override
  public Experiment experiment() {
    return new Experiment(
        "local-memory",
        "Local memory",
        "What does it cost a thread to keep words in local memory?",
        "Each thread fills an array of its own of 16 to 1024 bytes and reads it in another order; the"
            + " indices keep it out of registers. Beside it, the same loop computes the words again. The"
            + " prediction adds to the latter the time of storing and loading the words at the rate of"
            + " the first-level cache where the arrays of all resident threads fit it, else at that of"
            + " device memory.",
        "Register cache on a GTX 1080: at k = 25 with 8 outputs a thread, registers spill to local"
            + " memory, and the kernel slows down.",
        "the register budget of schedules: none may spill");
  }

  /** Tells whether the arrays of all threads of a multiprocessor fit its cache. */
  static boolean fits(int words, int threadsPerMultiprocessor, long cacheBytes) {
    return (long) words * Integer.BYTES * threadsPerMultiprocessor <= cacheBytes;
  }

  @Override
  public FindingBuilder answer(Bench bench, DeviceRates rates) {
    CurveBuilder computed =
        new CurveBuilder("computed again", "nothing predicts this loop: it is the base");
    CurveBuilder kept =
        new CurveBuilder("kept in local memory", "lines leave the first-level cache early or late");
    int threads = bench.traits().threadsPerMultiprocessor();
    long cache = bench.limits().sharedBytesPerMultiprocessor();
    for (int words : bench.effort().sweep(WORDS)) {
      int blocks = Math.min(MOST_BLOCKS, bench.effort().arrayWords() / THREADS);
      Timing base = measure(bench, new LocalArrayKernel(words, false), blocks);
      computed.duration(words * 4.0, 1e3, base, Double.NaN);
      double bytes = 2.0 * words * Integer.BYTES * blocks * THREADS;
      double rate = fits(words, threads, cache) ? rates.shared() : rates.copy();
      double predicted = 1e3 * (base.millis() + bytes / rate / 1e6);
      Timing timing = measure(bench, new LocalArrayKernel(words, true), blocks);
      kept.duration(words * 4.0, 1e3, timing, predicted);
    }
    Curve base = computed.build();
    Curve local = kept.build();
    int last = local.points().size() - 1;
    double small = local.points().get(0).y() / base.points().get(0).y();
    double large = local.points().get(last).y() / base.points().get(last).y();
    String meaning =
        FindingBuilder.text(
            "A loop over %.0f bytes of local memory takes %.1f times as long as one that computes, and one over %.0f bytes %.1f times.",
            base.points().get(0).x(), small, base.points().get(last).x(), large);
    SurveyChart chart =
        new SurveyChart(
            "arrays",
            "Arrays of threads",
            new Axis("array of a thread", "bytes", true),
            new Axis("time", "us", true),
            List.of(base, local),
            List.<Limit>of());
    return new FindingBuilder(List.of(chart), List.of(spillClaim(small, large)), meaning);
  }

  private static Timing measure(Bench bench, LocalArrayKernel kernel, int blocks) {
    BenchLaunch work =
        BenchLaunch.of(
            kernel, blocks, bench.arguments().set(KernelParameter.SHIFT, LocalArrayKernel.STEP));
    int checked = Math.min(blocks, CHECKED_BLOCKS);
    bench.check(work.with(checked), checked * THREADS, word -> expected(kernel.words(), word));
    return bench.time(work);
  }

  private static int expected(int words, int thread) {
    int sum = 0;
    for (int t = 0; t < words; t++) {
      int word = t * LocalArrayKernel.STEP % words;
      sum = 31 * sum + Bench.inputWord(thread) + 3 * word;
    }
    return sum;
  }

  /** Judges the slow-down of the smallest and of the largest array. */
  static Claim spillClaim(double small, double large) {
    return new Claim(
        "A kernel whose registers spill to local memory slows down (GTX 1080, k = 25 with 8 outputs a thread).",
        small > 1.1 ? Verdict.YES : large > 1.1 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text(
            "%.1f times as long with the smallest array, %.1f with the largest", small, large));
  }
}
