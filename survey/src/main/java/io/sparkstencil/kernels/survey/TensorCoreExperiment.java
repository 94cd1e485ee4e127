/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.kernels.codegen.survey.MatrixRateKernel;
import io.sparkstencil.kernels.codegen.survey.RateKernel.Operation;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.BenchLaunch;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.survey.bench.FindingBuilder;
import io.sparkstencil.kernels.survey.bench.InstructionRates;
import io.sparkstencil.kernels.survey.bench.Rates;
import io.sparkstencil.kernels.survey.bench.SurveyExperiment;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.kernels.tuning.MatrixTrial;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.MatrixShape;
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
import java.util.Optional;

/** What tensor cores are worth for doubles, and which bits they give. */
final class TensorCoreExperiment implements SurveyExperiment {
  private static final int[] TAPS = {17, 33, 65, 97, 129, 193, 257, 385, 513};
  private static final int WIDEST = 513;
  private static final int THREADS = 256;
  private static final int LANES = 32;

  /** Blocks on a multiprocessor: as many warps as any device runs at once. */
  private static final int BLOCKS = 8;

  /** Cells beside a frame that a matrix of weights multiplies by zero. */
  private static final int BESIDE = MatrixShape.COLUMNS - 1;

  @Override
  public Experiment experiment() {
    return new Experiment(
        "tensor-cores",
        "Doubles on tensor cores",
        "Do tensor cores multiply doubles faster than other units, and are the results the same?",
        "A tensor core multiplies two small matrices in one instruction. The same products are"
            + " added by fused multiply-adds, first to last, on the CPU, and all bits are compared,"
            + " with NaN, infinities, zeros of both signs and numbers too small to be normal among"
            + " them. Then weighted sums of doubles run both ways. The prediction is the slower of"
            + " memory and multiply-adds: one for each tap, and 7 more on tensor cores, which"
            + " multiply cells beside the frame by zero.",
        "NVIDIA, data sheets of A100 and H100: 9.7 and 34 TFLOP/s of doubles, 19.5 and 67 on tensor"
            + " cores. In which order tensor cores add is not documented.",
        "the kernels of wide weighted sums of doubles with the accuracy fma");
  }

  @Override
  public FindingBuilder answer(Bench bench, DeviceRates rates) {
    List<MatrixShape> best = MatrixShape.of(bench.traits().capability());
    List<Curve> instructions = new ArrayList<>();
    instructions.add(fused(bench, rates));
    for (MatrixShape shape : shapes(bench.traits().capability())) {
      instructions.add(product(bench, rates, shape, instructions.size() + 1));
    }
    Optional<String> against = MatrixTrial.reasonAgainst(bench.context(), best);
    double fma = CurveBuilder.greatest(instructions.get(0));
    double mma = CurveBuilder.greatest(instructions.get(instructions.size() - 1));
    FusedSums sums = new FusedSums(bench, WIDEST);
    int[] taps = bench.effort().sweep(TAPS);
    Curve plain = plain(rates, sums, taps, fma);
    List<Curve> curves = new ArrayList<>(List.of(plain));
    if (!best.isEmpty() && against.isEmpty()) {
      curves.add(onTensorCores(rates, sums, taps, mma));
    }
    List<SurveyChart> charts = List.of(rateChart(instructions), tapChart(rates, curves));
    if (best.isEmpty()) {
      return new FindingBuilder(
          charts, List.of(), "Tensor cores for doubles begin with compute capability 8.0.");
    }
    String bits =
        against.isPresent()
            ? "but have other bits, so that the engine does without them"
            : "with the same bits: %d results compared"
                .formatted(best.stream().mapToInt(MatrixTrial::results).sum());
    String gain =
        curves.size() < 2
            ? ""
            : FindingBuilder.text(
                "; a weighted sum of %d doubles is %.2f times as fast on them",
                WIDEST, CurveBuilder.at(curves.get(1), WIDEST) / CurveBuilder.at(plain, WIDEST));
    String meaning =
        FindingBuilder.text(
            "Tensor cores multiply and add doubles %.2f times as fast as other units, %s%s.",
            mma / fma, bits, gain);
    return new FindingBuilder(charts, List.of(rateClaim(mma / fma), bitsClaim(against)), meaning);
  }

  /** Returns the shapes that a device has, the fastest last. */
  private static List<MatrixShape> shapes(int capability) {
    return Arrays.stream(MatrixShape.values())
        .filter(shape -> shape.target().architecture() <= capability)
        .toList();
  }

  private static Curve fused(Bench bench, DeviceRates rates) {
    Rates.RateRun run = Rates.measure(bench, Operation.F64_FMA);
    double lanes = InstructionRates.lanes(Operation.F64_FMA, bench.traits().capability());
    return new CurveBuilder("fma", "other instructions of the loop")
        .rate(1, run.amount(), run.timing(), rates.perSecond(lanes))
        .build();
  }

  private static Curve product(Bench bench, DeviceRates rates, MatrixShape shape, int number) {
    MatrixRateKernel kernel = new MatrixRateKernel(shape, bench.effort().turns(), THREADS);
    BenchLaunch work = BenchLaunch.of(kernel, bench.fill(BLOCKS), bench.arguments());
    long bits = Double.doubleToRawLongBits(kernel.expected());
    bench.check(work.with(1), 2 * THREADS, word -> (int) (bits >>> (word % 2 * 32)));
    double warps = (double) work.blocks() * THREADS / LANES;
    double amount = warps * kernel.turns() * MatrixRateKernel.INSTRUCTIONS * kernel.multiplyAdds();
    double lanes = InstructionRates.matrixLanes(shape, bench.traits().capability());
    String reason =
        Double.isNaN(lanes)
            ? "the vendor's table is not known for this device"
            : "other instructions of the loop";
    return new CurveBuilder(shape.label(), reason)
        .rate(number, amount, bench.time(work), rates.perSecond(lanes))
        .build();
  }

  private static SurveyChart rateChart(List<Curve> curves) {
    return new SurveyChart(
        "rates",
        "Multiply-adds of doubles",
        new Axis("number of the instruction", "", false),
        new Axis("multiply-adds", "1e9/s", false),
        curves,
        List.of());
  }

  private static SurveyChart tapChart(DeviceRates rates, List<Curve> curves) {
    return new SurveyChart(
        "taps",
        "Weighted sums of doubles",
        new Axis("taps", "", true),
        new Axis("cells", "1e9/s", true),
        curves,
        List.of(new Limit("fastest copy of cells", rates.copy() / (2 * Double.BYTES))));
  }

  private static Curve plain(DeviceRates rates, FusedSums sums, int[] taps, double multiplyAdds) {
    CurveBuilder curve =
        new CurveBuilder("fused multiply-adds", "loads of cells and weights take turns too");
    for (int each : taps) {
      FlatStencil what = FusedSums.sum(each);
      add(curve, rates, sums.measure(what, sums.plain(what)), each, each / multiplyAdds);
    }
    return curve.build();
  }

  private static Curve onTensorCores(
      DeviceRates rates, FusedSums sums, int[] taps, double multiplyAdds) {
    CurveBuilder curve =
        new CurveBuilder("tensor cores", "filling a tile and multiplying overlap only by blocks");
    for (int each : taps) {
      FlatStencil what = FusedSums.sum(each);
      KernelSchedule how = sums.onTensorCores(what).orElseThrow();
      add(curve, rates, sums.measure(what, how), each, (each + BESIDE) / multiplyAdds);
    }
    return curve.build();
  }

  private static void add(
      CurveBuilder curve, DeviceRates rates, FusedSums.TimedSums run, int taps, double nanos) {
    Timing timing = run.timing();
    double memory = 2 * Double.BYTES / rates.copy();
    curve.rate(taps, run.outputs(), timing, 1 / Math.max(memory, nanos));
  }

  /** Judges tensor cores against fused multiply-adds. */
  static Claim rateClaim(double ratio) {
    return new Claim(
        "Tensor cores multiply doubles at twice the rate of other units (data sheets of A100 and H100).",
        ratio >= 1.8 ? Verdict.YES : ratio >= 1.1 ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text("%.2f times the rate", ratio));
  }

  /** Judges the bits. */
  static Claim bitsClaim(Optional<String> against) {
    return new Claim(
        "Tensor cores give doubles the bits of fused multiply-adds, first to last (measured before on H100).",
        against.isEmpty() ? Verdict.YES : Verdict.NO,
        against.orElse("all bits are the same"));
  }
}
