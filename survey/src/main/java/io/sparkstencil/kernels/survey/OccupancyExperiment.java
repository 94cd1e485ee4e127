/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.cuda.KernelFunction;
import io.sparkstencil.kernels.codegen.survey.StreamKernel;
import io.sparkstencil.kernels.codegen.survey.StreamKernel.Task;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.survey.bench.FindingBuilder;
import io.sparkstencil.kernels.survey.bench.Streams;
import io.sparkstencil.kernels.survey.bench.SurveyExperiment;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.kernels.variant.CacheHints;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Claim;
import io.sparkstencil.survey.Claim.Verdict;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.SurveyChart;
import java.util.List;

/** How many warps a multiprocessor needs for the rate of memory. */
final class OccupancyExperiment implements SurveyExperiment {
  private static final int LANES = 32;
  private static final int THREADS = 128;
  private static final int[] RESIDENT = {1, 2, 3, 4, 6, 8, 10, 12, 14, 16};
  private static final int[] BLOCKS = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
  private static final int SHARED_RUN = 1024;

  @Override
  public Experiment experiment() {
    return new Experiment(
        "occupancy",
        "Occupancy",
        "How many warps does a multiprocessor need, and in blocks of which size?",
        "A copy, 16 bytes a thread, in blocks of 128 threads that take shared memory so that only 1 to"
            + " 16 of them fit a multiprocessor; and in blocks of 32 to 1024 threads that take none. The"
            + " prediction grows with the warps from the first measurement, up to the fastest copy."
            + " Blocks that fit are computed from registers, threads and shared memory, and compared"
            + " with what the driver counts.",
        "NVIDIA, CUDA C++ Best Practices Guide: higher occupancy is not always faster, low occupancy"
            + " always hides latency badly; blocks of 128 to 256 threads are a good start.",
        "threads of a block, and how much shared memory tiles take");
  }

  @Override
  public FindingBuilder answer(Bench bench, DeviceRates rates) {
    int[] agreed = new int[2];
    Curve resident = resident(bench, rates, agreed);
    Curve sizes = sizes(bench, rates, agreed);
    double most = bench.traits().threadsPerMultiprocessor() / (double) LANES;
    double enough = enough(resident, 0.95 * CurveBuilder.greatest(resident));
    double small = Math.max(CurveBuilder.at(sizes, 128), CurveBuilder.at(sizes, 256));
    String meaning =
        FindingBuilder.text(
            "%.0f of %.0f warps reach 95 %% of the best copy, and blocks of 32 threads reach %.0f %% of that of the best size.",
            enough, most, 100 * CurveBuilder.at(sizes, 32) / CurveBuilder.greatest(sizes));
    Axis copied = new Axis("read and written", "GB/s", false);
    List<Limit> copy = List.of(new Limit("fastest copy", rates.copy()));
    return new FindingBuilder(
        List.of(
            new SurveyChart(
                "warps",
                "Copy by resident warps",
                new Axis("warps of a multiprocessor", "", false),
                copied,
                List.of(resident),
                copy),
            new SurveyChart(
                "blocks",
                "Copy by size of blocks",
                new Axis("threads of a block", "", true),
                copied,
                List.of(sizes),
                copy)),
        List.of(
            enoughClaim(enough / most),
            sizeClaim(small / CurveBuilder.greatest(sizes)),
            countClaim(agreed[0], agreed[1])),
        meaning);
  }

  private static Curve resident(Bench bench, DeviceRates rates, int[] agreed) {
    CurveBuilder curve =
        new CurveBuilder("blocks of " + THREADS, "latency grows as memory fills up");
    double first = Double.NaN;
    double firstWarps = Double.NaN;
    for (int blocks : bench.effort().sweep(RESIDENT)) {
      int each = bench.limits().sharedBytesPerMultiprocessor() / blocks / SHARED_RUN * SHARED_RUN;
      int shared = Math.max(0, Math.min(each - SHARED_RUN, bench.traits().sharedBytesPerBlock()));
      StreamKernel kernel = kernel(THREADS, shared);
      Timing timing = Streams.measure(bench, kernel);
      double warps = warps(bench, kernel, agreed);
      double rate = Streams.bytes(bench, kernel) / timing.millis() / 1e6;
      if (Double.isNaN(first)) {
        first = rate;
        firstWarps = warps;
      }
      curve.add(warps, rate, timing, predicted(warps, firstWarps, first, rates.copy()));
    }
    return curve.build();
  }

  private static Curve sizes(Bench bench, DeviceRates rates, int[] agreed) {
    CurveBuilder curve =
        new CurveBuilder("no shared memory", "blocks end and start, and leave slots empty");
    for (int threads : bench.effort().sweep(BLOCKS)) {
      StreamKernel kernel = kernel(threads, 0);
      Timing timing = Streams.measure(bench, kernel);
      warps(bench, kernel, agreed);
      curve.rate(threads, Streams.bytes(bench, kernel), timing, rates.copy());
    }
    return curve.build();
  }

  private static StreamKernel kernel(int threads, int sharedBytes) {
    return new StreamKernel(Task.COPY, 16, 1, CacheHints.NONE, threads, sharedBytes);
  }

  /** Returns the warps that are resident; counts whether the computed blocks are the driver's. */
  private static double warps(Bench bench, StreamKernel kernel, int[] agreed) {
    KernelFunction function = bench.kernel(kernel).function();
    int counted = function.blocksPerMultiprocessor(kernel.threads(), kernel.sharedBytes());
    int computed =
        Occupancy.blocks(
            bench.traits(),
            bench.limits(),
            function.registers(),
            kernel.threads(),
            kernel.sharedBytes());
    agreed[0] += computed == counted ? 1 : 0;
    agreed[1]++;
    return counted * (kernel.threads() / (double) LANES);
  }

  /** Returns what warps reach if each has as many bytes in flight as those of a first point. */
  static double predicted(double warps, double firstWarps, double firstRate, double most) {
    return Math.min(most, firstRate * warps / firstWarps);
  }

  private static double enough(Curve curve, double rate) {
    return curve.points().stream()
        .filter(point -> point.y() >= rate)
        .mapToDouble(point -> point.x())
        .min()
        .orElse(Double.NaN);
  }

  /** Judges the occupancy that reaches 95 % of the best copy. */
  static Claim enoughClaim(double occupancy) {
    return new Claim(
        "Higher occupancy is not always faster (CUDA C++ Best Practices Guide).",
        occupancy <= 0.5 ? Verdict.YES : occupancy < 0.9 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("occupancy %.2f reaches 95 %% of the best copy", occupancy));
  }

  /** Judges the better of 128 and 256 threads against the best size. */
  static Claim sizeClaim(double share) {
    return new Claim(
        "Blocks of 128 to 256 threads are a good start (CUDA C++ Best Practices Guide).",
        share >= 0.98 ? Verdict.YES : share >= 0.95 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("%.2f of the best size", share));
  }

  /** Judges how often the computed number of blocks is the driver's. */
  static Claim countClaim(int agreed, int all) {
    return new Claim(
        "Blocks of a multiprocessor follow from registers, threads and shared memory (CUDA C++ Programming Guide).",
        agreed == all ? Verdict.YES : agreed > 0 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("%d of %d counts are the driver's", agreed, all));
  }
}
