/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.kernels.codegen.survey.FirKernel;
import io.sparkstencil.kernels.codegen.survey.FirKernel.Placement;
import io.sparkstencil.kernels.codegen.survey.RateKernel.Operation;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.BenchLaunch;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.survey.bench.FindingBuilder;
import io.sparkstencil.kernels.survey.bench.SurveyExperiment;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Claim;
import io.sparkstencil.survey.Claim.Verdict;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.SurveyChart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Where the weights of a stencil should be. */
final class CoefficientsExperiment implements SurveyExperiment {
  private static final int[] TAPS = {9, 17, 33, 65};

  /** The nine-point first derivative with spacing 1; the centre has no weight. */
  private static final List<Float> DERIVATIVE =
      List.of(1 / 280f, -4 / 105f, 1 / 5f, -4 / 5f, 0f, 4 / 5f, -1 / 5f, 4 / 105f, -1 / 280f);

  private static final int CHECKED_BLOCKS = 8;
  private static final int LANES = 32;
  private static final int THREADS = FirKernel.THREADS;

  @Override
  public Experiment experiment() {
    return new Experiment(
        "coefficients",
        "Where coefficients are",
        "Are weights fastest in the instructions, in the constant bank, in the read-only path or in"
            + " shared memory?",
        "One thread computes one F32 output by multiply-adds: the nine-point first derivative, and"
            + " filters of 17 to 65 taps. All placements load cells alike. The prediction is the slowest"
            + " of memory, multiply-adds, and requests of 128 bytes: one for a load of cells or of a"
            + " weight that all lanes share, one for each weight that lanes differ in.",
        "RTX 3080, nine-point derivative of 2^24 F32 cells: constant memory 0.4209 ms, read-only cache"
            + " 0.4036 ms; constant memory is serialised where lanes differ.",
        "the placement of coefficients in schedules");
  }

  /** Returns the requests of a warp for a tap. */
  static int requests(Placement placement, int taps) {
    return switch (placement) {
      case IMMEDIATE, CONSTANT -> 1;
      case READ_ONLY, SHARED -> 2;
      case CONSTANT_DIVERGENT -> 1 + Math.min(LANES, taps);
    };
  }

  @Override
  public FindingBuilder answer(Bench bench, DeviceRates rates) {
    List<Curve> curves = new ArrayList<>();
    for (Placement placement : Placement.values()) {
      curves.add(curve(bench, rates, placement));
    }
    double[] nine = curves.stream().mapToDouble(c -> CurveBuilder.at(c, TAPS[0])).toArray();
    int longest = TAPS[TAPS.length - 1];
    double[] wide = curves.stream().mapToDouble(c -> CurveBuilder.at(c, longest)).toArray();
    String meaning =
        FindingBuilder.text(
            "The nine-point derivative writes %.0f G cells/s with immediates, %.0f from constants and %.0f from the read-only path; with %d taps, immediates are %.2f times as fast as the read-only path, and constants that lanes differ in take %.1f times as long as constants that they share.",
            nine[0], nine[1], nine[3], longest, wide[0] / wide[3], wide[1] / wide[2]);
    SurveyChart chart =
        new SurveyChart(
            "placements",
            "Placements of weights",
            new Axis("taps", "", true),
            new Axis("cells", "1e9/s", true),
            curves,
            List.of(new Limit("fastest copy of cells", rates.copy() / 8)));
    return new FindingBuilder(
        List.of(chart),
        List.of(nearClaim(nine[3] / nine[1]), divergentClaim(wide[1] / wide[2])),
        meaning);
  }

  private static List<Float> weights(int taps) {
    if (taps == DERIVATIVE.size()) {
      return DERIVATIVE;
    }
    List<Float> weights = new ArrayList<>();
    for (int i = 0; i < taps; i++) {
      weights.add(1f / (i + 3));
    }
    return weights;
  }

  private static Curve curve(Bench bench, DeviceRates rates, Placement placement) {
    CurveBuilder curve =
        new CurveBuilder(
            placement.name().toLowerCase(Locale.ROOT).replace('_', ' '),
            "addresses and loads of cells take instructions too");
    for (int taps : bench.effort().sweep(TAPS)) {
      FirKernel kernel = new FirKernel(weights(taps), placement);
      int blocks = (bench.effort().arrayWords() - taps) / THREADS;
      BenchLaunch work = BenchLaunch.of(kernel, blocks, bench.arguments());
      int checked = Math.min(blocks, CHECKED_BLOCKS);
      bench.check(work.with(checked), checked * THREADS, word -> expected(kernel, word));
      double nanosPerCell =
          Math.max(
              2 * Float.BYTES / rates.copy(),
              Math.max(
                  taps / rates.instructions(Operation.F32_FMA),
                  (double) taps * requests(placement, taps) * Float.BYTES / rates.shared()));
      curve.rate(taps, (double) blocks * THREADS, bench.time(work), 1 / nanosPerCell);
    }
    return curve.build();
  }

  private static int expected(FirKernel kernel, int cell) {
    int taps = kernel.weights().size();
    int start = kernel.placement() == Placement.CONSTANT_DIVERGENT ? cell % LANES : 0;
    float sum = 0;
    for (int i = 0; i < taps; i++) {
      int tap = (start + i) % taps;
      sum = Math.fma(Bench.inputCell(cell + tap), kernel.weights().get(tap), sum);
    }
    return Float.floatToRawIntBits(sum);
  }

  /** Judges the read-only path against the constant bank for the nine-point derivative. */
  static Claim nearClaim(double readOnly) {
    boolean near = Math.abs(readOnly - 1) <= 0.1;
    return new Claim(
        "For the nine-point derivative, constant memory and the read-only cache are within 5 %, the latter ahead (RTX 3080).",
        near && readOnly > 1 ? Verdict.YES : near ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("the read-only path is %.2f times as fast", readOnly));
  }

  /** Judges how much longer constants take that lanes differ in. */
  static Claim divergentClaim(double slower) {
    return new Claim(
        "Reads of the constant bank are serialised where the lanes of a warp differ.",
        slower >= 2 ? Verdict.YES : slower >= 1.1 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("%.1f times the time of reads that all lanes share", slower));
  }
}
