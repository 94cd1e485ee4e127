/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.survey.StridedCopyKernel;
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
import io.sparkstencil.survey.Measured;
import io.sparkstencil.survey.SurveyChart;
import java.util.List;
import java.util.stream.IntStream;

/** What accesses cost whose threads are not beside each other. */
final class CoalescingExperiment implements SurveyExperiment {
  private static final int LANES = 32;
  private static final int SECTOR_WORDS = 8;

  /** Words of a thread: with fewer, too little is on its way to fill the memory. */
  private static final int WORDS = 8;

  @Override
  public Experiment experiment() {
    return new Experiment(
        "coalescing",
        "Coalesced access to device memory",
        "What do offsets and strides between the words of neighbouring threads cost?",
        "Each thread copies 8 words, at an offset of 0 to 32 words, or at a stride of 1 to 32 words,"
            + " by plain loads and through the read-only path. The prediction counts the 32-byte"
            + " sectors that a warp touches, at the rate of the fastest copy: for offsets as if no"
            + " sector were shared with the warp beside, and for strides with sectors read before"
            + " they are written in part.",
        "NVIDIA, CUDA C++ Best Practices Guide, V100: 790 GB/s at offsets that are multiples of 8"
            + " words, about 9/10 of it elsewhere; half the bandwidth at stride 2.",
        "whether tiles are aligned, and arrays of structures are split");
  }

  /** Returns the sectors of 32 bytes that the words of a warp lie in. */
  static int sectors(int offset, int stride) {
    return (int)
        IntStream.range(0, LANES)
            .map(lane -> (lane * stride + offset) / SECTOR_WORDS)
            .distinct()
            .count();
  }

  private static double predicted(DeviceRates rates, int offset, int stride) {
    int writes = stride == 1 ? 1 : 2; // a sector that is written in part is read before
    return rates.copy() * 2 / (1 + writes) * sectors(0, 1) / sectors(offset, stride);
  }

  @Override
  public FindingBuilder answer(Bench bench, DeviceRates rates) {
    List<Curve> offsets = List.of(offsets(bench, rates, false), offsets(bench, rates, true));
    List<Curve> strides = List.of(strides(bench, rates, false), strides(bench, rates, true));
    double worst = worstOffset(offsets.get(0));
    double half = ratio(strides.get(0), 2, 1);
    double tenth = ratio(strides.get(0), 32, 1);
    String meaning =
        FindingBuilder.text(
            "An offset costs at most %.0f %%, where sectors of each warp's own would cost 20 %%; a stride of 2 leaves %.0f %% and one of 32 leaves %.0f %% of the bandwidth.",
            100 * (1 - worst), 100 * half, 100 * tenth);
    List<Limit> copy = List.of(new Limit("fastest copy", rates.copy()));
    Axis bandwidth = new Axis("effective, read and written", "GB/s", false);
    return new FindingBuilder(
        List.of(
            new SurveyChart(
                "offset",
                "Copy with an offset",
                new Axis("offset", "words", false),
                bandwidth,
                offsets,
                copy),
            new SurveyChart(
                "stride",
                "Copy with a stride",
                new Axis("stride", "words", false),
                bandwidth,
                strides,
                copy)),
        List.of(offsetClaim(worst), strideClaim(half)),
        meaning);
  }

  private static Curve offsets(Bench bench, DeviceRates rates, boolean readOnly) {
    CurveBuilder curve =
        new CurveBuilder(
            name(readOnly), "warps beside each other find shared sectors in the cache");
    for (int offset : bench.effort().sweep(IntStream.rangeClosed(0, LANES).toArray())) {
      double predicted = predicted(rates, offset, 1);
      add(bench, curve, offset, kernel(bench, 1, readOnly), offset, predicted);
    }
    return curve.build();
  }

  private static Curve strides(Bench bench, DeviceRates rates, boolean readOnly) {
    CurveBuilder curve =
        new CurveBuilder(name(readOnly), "memory opens its rows for a few sectors each");
    for (int stride : bench.effort().sweep(IntStream.rangeClosed(1, LANES).toArray())) {
      double predicted = predicted(rates, 0, stride);
      add(bench, curve, stride, kernel(bench, stride, readOnly), 0, predicted);
    }
    return curve.build();
  }

  private static String name(boolean readOnly) {
    return readOnly ? "read-only path" : "plain loads";
  }

  private static StridedCopyKernel kernel(Bench bench, int stride, boolean readOnly) {
    int words = Math.min(WORDS, copies(bench, stride) / StridedCopyKernel.THREADS);
    return new StridedCopyKernel(stride, words, readOnly);
  }

  /** Returns how many words of an array are copied, wherever they start. */
  private static int copies(Bench bench, int stride) {
    return (bench.effort().arrayWords() - LANES) / stride;
  }

  private static void add(
      Bench bench,
      CurveBuilder curve,
      int x,
      StridedCopyKernel kernel,
      int offset,
      double predicted) {
    int stride = kernel.stride();
    int words = StridedCopyKernel.THREADS * kernel.words();
    int blocks = copies(bench, stride) / words;
    BenchLaunch work =
        BenchLaunch.of(kernel, blocks, bench.arguments().set(KernelParameter.SHIFT, offset));
    int end = offset + (words - 1) * stride + 1;
    bench.check(
        work.with(1),
        end,
        word ->
            word >= offset && (word - offset) % stride == 0 ? Bench.inputWord(word) : Bench.POISON);
    double bytes = 2.0 * Integer.BYTES * blocks * words;
    curve.rate(x, bytes, bench.time(work), predicted);
  }

  /** Returns the least of the offsets that are no whole sectors, over that of none. */
  static double worstOffset(Curve curve) {
    double least =
        curve.points().stream()
            .filter(point -> point.x() % SECTOR_WORDS != 0)
            .mapToDouble(Measured::y)
            .min()
            .orElse(Double.NaN);
    return least / CurveBuilder.at(curve, 0);
  }

  private static double ratio(Curve curve, double x, double base) {
    return CurveBuilder.at(curve, x) / CurveBuilder.at(curve, base);
  }

  /** Judges the worst offset against none. */
  static Claim offsetClaim(double worst) {
    return new Claim(
        "Offsets that are no multiples of 8 words leave 9/10 of the bandwidth (V100, CUDA C++ Best Practices Guide).",
        worst < 0.8 ? Verdict.NO : worst <= 0.95 ? Verdict.YES : Verdict.PARTLY,
        FindingBuilder.text("%.2f of the bandwidth without an offset", worst));
  }

  /** Judges stride 2 against stride 1. */
  static Claim strideClaim(double half) {
    return new Claim(
        "A stride of 2 leaves half of the bandwidth (V100, CUDA C++ Best Practices Guide).",
        half >= 0.4 && half <= 0.6 ? Verdict.YES : Verdict.NO,
        FindingBuilder.text("%.2f of the bandwidth at stride 1", half));
  }
}
