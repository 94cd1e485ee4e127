/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.survey.bench.FindingBuilder;
import io.sparkstencil.kernels.survey.bench.SurveyExperiment;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.kernels.variant.ClassicKernel;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.StagingStrategy;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Claim;
import io.sparkstencil.survey.Claim.Verdict;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.SurveyChart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The two textbook kernels of a one-dimensional stencil against each other and the engine's. */
final class StencilExperiment implements SurveyExperiment {
  private static final int[] RADII = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32};
  private static final int[] COARSE_RADII = {2, 12, 25};
  private static final int[] COARSENING = {1, 2, 4, 8, 16, 32};
  private static final int SPILLING = 8;
  private static final int WIDEST = 2 * 32 + 1;

  @Override
  public Experiment experiment() {
    return new Experiment(
        "k-stencil",
        "The one-dimensional k-stencil",
        "When is a cache in registers faster than one in shared memory, and what does the engine gain?",
        "Sums of 2k + 1 I32 cells: a tile in shared memory, one output per thread; the registers of a"
            + " warp as a cache, read by shuffles, with 1 to 32 outputs per thread; and the schedule that"
            + " the engine chooses. The prediction is the slowest of memory, with the cells that warps"
            + " load twice, additions, and shared loads or shuffles, one for each tap.",
        "Register cache (NVIDIA blog, 2017), GTX 1080: up to 1.8 times the shared-memory kernel with"
            + " several outputs per thread, the gain grows to k = 12, at k = 25 with 8 outputs registers"
            + " spill. RTX 3080, 2^27 ints: shared memory 2.507 and 2.634 ms at k = 2 and 5, register"
            + " cache 2.249 and 2.808 ms.",
        "which staging the schedules of narrow frames use");
  }

  @Override
  public FindingBuilder answer(Bench bench, DeviceRates rates) {
    WindowSums sums = new WindowSums(bench, rates, WIDEST);
    int[] radii = bench.effort().sweep(RADII);
    Curve shared = classic(sums, radii, ClassicKernel.SHARED_MEMORY);
    Curve registers = classic(sums, radii, ClassicKernel.REGISTER_CACHE);
    Curve chosen = chosen(sums, rates, radii);
    List<Curve> coarse = new ArrayList<>();
    for (int radius : COARSE_RADII) {
      coarse.add(coarsened(bench, sums, radius));
    }
    double[] ratios = ratios(registers, shared);
    double[] gains = ratios(chosen, shared);
    double best = coarse.stream().mapToDouble(CurveBuilder::greatest).max().orElseThrow();
    int spilled = sums.localBytes(WindowSums.sum(COARSE_RADII[2]), WindowSums.coarsened(SPILLING));
    String meaning =
        FindingBuilder.text(
            "%s; with several outputs per thread it reaches %.2f times the shared-memory kernel, and the engine's choice %.2f to %.2f times.",
            crossover(radii, ratios),
            best,
            DoubleRange.of(gains).least(),
            DoubleRange.of(gains).most());
    return new FindingBuilder(
        List.of(
            new SurveyChart(
                "radii",
                "Sums of 2k + 1 cells",
                new Axis("k", "", false),
                new Axis("read and written once", "GB/s", false),
                List.of(shared, registers, chosen),
                List.of(new Limit("fastest copy", rates.copy()))),
            new SurveyChart(
                "coarsening",
                "Register cache with several outputs per thread",
                new Axis("outputs per thread", "", true),
                new Axis("against one output in shared memory", "times", false),
                coarse,
                List.<Limit>of())),
        List.of(
            beatsClaim(radii, ratios),
            coarseningClaim(best),
            spillClaim(
                spilled,
                CurveBuilder.at(coarse.get(2), SPILLING),
                CurveBuilder.greatest(coarse.get(2)))),
        meaning);
  }

  private static Curve classic(WindowSums sums, int[] radii, ClassicKernel kernel) {
    CurveBuilder curve =
        new CurveBuilder(kernel.label(), "loads, exchanges and sums of a warp wait for each other");
    for (int radius : radii) {
      FlatStencil what = WindowSums.sum(radius);
      KernelSchedule how = kernel.schedule(what);
      Timing timing = sums.measure(what, how);
      curve.rate(radius, sums.bytes(), timing, sums.predicted(what, how.staging(), 1));
    }
    return curve.build();
  }

  private static Curve chosen(WindowSums sums, DeviceRates rates, int[] radii) {
    CurveBuilder curve =
        new CurveBuilder("the engine's choice", "exchanges or additions take longer than memory");
    for (int radius : radii) {
      FlatStencil what = WindowSums.sum(radius);
      curve.rate(radius, sums.bytes(), sums.measure(what, sums.selected(what)), rates.copy());
    }
    return curve.build();
  }

  private static Curve coarsened(Bench bench, WindowSums sums, int radius) {
    FlatStencil what = WindowSums.sum(radius);
    double base = sums.measure(what, ClassicKernel.SHARED_MEMORY.schedule(what)).millis();
    double basePredicted = sums.predicted(what, StagingStrategy.SHARED_MEMORY, 1);
    CurveBuilder curve =
        new CurveBuilder("k = " + radius, "fewer warps, each with more independent work");
    for (int cells : bench.effort().sweep(COARSENING)) {
      KernelSchedule how = WindowSums.coarsened(cells);
      Timing timing = sums.measure(what, how);
      double predicted = sums.predicted(what, how.staging(), cells) / basePredicted;
      curve.add(cells, base / timing.millis(), timing, predicted);
    }
    return curve.build();
  }

  private static double[] ratios(Curve curve, Curve base) {
    return IntStream.range(0, base.points().size())
        .mapToDouble(i -> curve.points().get(i).y() / base.points().get(i).y())
        .toArray();
  }

  /** The least and the greatest of some figures. */
  private record DoubleRange(double least, double most) {
    static DoubleRange of(double... figures) {
      return new DoubleRange(
          Arrays.stream(figures).min().orElseThrow(), Arrays.stream(figures).max().orElseThrow());
    }
  }

  /** Says for which radii the register cache is faster. */
  static String crossover(int[] radii, double[] ratios) {
    List<Integer> faster =
        IntStream.range(0, radii.length)
            .filter(i -> ratios[i] > 1)
            .mapToObj(i -> radii[i])
            .toList();
    if (faster.size() == radii.length) {
      return "With one output per thread, the register cache is faster for every k";
    }
    if (faster.isEmpty()) {
      return "With one output per thread, the register cache is faster for no k";
    }
    String listed = faster.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return "With one output per thread, the register cache is faster for k = " + listed;
  }

  /** Judges the register cache against shared memory, one output per thread. */
  static Claim beatsClaim(int[] radii, double[] ratios) {
    long faster = IntStream.range(0, radii.length).filter(i -> ratios[i] > 1).count();
    DoubleRange range = DoubleRange.of(ratios);
    return new Claim(
        "The register cache is faster than shared memory (GTX 1080; on an RTX 3080 at k = 2, not at k = 5).",
        faster == radii.length ? Verdict.YES : faster == 0 ? Verdict.NO : Verdict.PARTLY,
        FindingBuilder.text(
            "%.2f to %.2f times the shared-memory kernel", range.least, range.most));
  }

  /** Judges the best ratio of all radii and numbers of outputs. */
  static Claim coarseningClaim(double best) {
    return new Claim(
        "With several outputs per thread, the register cache reaches 1.8 times the shared-memory kernel (GTX 1080).",
        best >= 1.8 ? Verdict.YES : best > 1 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("%.2f times at best", best));
  }

  /**
   * Judges k = 25 with 8 outputs.
   *
   * @param spilledBytes local memory of a thread
   * @param ratio against the shared-memory kernel
   * @param best the best ratio with other numbers of outputs
   */
  static Claim spillClaim(int spilledBytes, double ratio, double best) {
    boolean slower = ratio < 0.95 * best;
    return new Claim(
        "At k = 25 with 8 outputs per thread, registers spill to local memory, and the kernel slows down (GTX 1080).",
        spilledBytes > 0 && slower
            ? Verdict.YES
            : spilledBytes > 0 || slower ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text(
            "%d bytes spilled, %.2f times the shared-memory kernel where the best is %.2f",
            spilledBytes, ratio, best));
  }
}
