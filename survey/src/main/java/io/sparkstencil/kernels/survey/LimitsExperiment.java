/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.kernels.codegen.survey.RateKernel.Operation;
import io.sparkstencil.kernels.codegen.survey.SharedLoadKernel.Layout;
import io.sparkstencil.kernels.codegen.survey.StreamKernel;
import io.sparkstencil.kernels.codegen.survey.StreamKernel.Task;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.survey.bench.FindingBuilder;
import io.sparkstencil.kernels.survey.bench.InstructionRates;
import io.sparkstencil.kernels.survey.bench.Rates;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the device does at most: every other experiment is predicted from this. */
final class LimitsExperiment implements SurveyExperiment {
  private static final int[] UNIT_BYTES = {4, 8, 16};

  /** Bytes that each thread has in flight. */
  private static final int THREAD_BYTES = 32;

  @Override
  public Experiment experiment() {
    return new Experiment(
        "limits",
        "Limits of the device",
        "How fast are memory, arithmetic, shared memory, the link to the host and launches?",
        "Kernels copy, read and write arrays of several times the second-level cache; others run one"
            + " instruction in 8 independent chains on all multiprocessors. The prediction is the bus"
            + " of the memory, and the vendor's lanes per period times the clock, which is measured"
            + " by %clock64. Copies between host and device are predicted by a start and a rate.",
        "NVIDIA, CUDA C++ Best Practices Guide: effective bandwidth against that of the bus;"
            + " CUDA C++ Programming Guide: throughput of native arithmetic instructions.",
        "the roof of every ratio, the bytes that a thread has in flight, the size of batches");
  }

  @Override
  public FindingBuilder answer(Bench bench, DeviceRates rates) {
    SurveyChart memory = memory(bench);
    SurveyChart instructions = instructions(bench, rates);
    SurveyChart shared = shared(bench, rates);
    LinkMeasurements links = new LinkMeasurements(bench);
    SurveyChart copies = links.chart();
    SurveyChart launches = LaunchMeasurements.chart(bench);
    double copy = rates.copy();
    double bus = bench.limits().busRate();
    double shuffles =
        rates.instructions(Operation.SHUFFLE) / rates.perSecond(InstructionRates.BANKS);
    List<Claim> claims =
        Double.isNaN(bus)
            ? List.of(shuffleClaim(shuffles))
            : List.of(copyClaim(copy / bus), shuffleClaim(shuffles));
    String meaning =
        FindingBuilder.text(
            "A single pass over memory runs at %.0f GB/s at most, an F32 multiply-add at %.0f G/s, so that up to %.0f of them for each F32 cell read and written cost nothing.",
            copy,
            rates.instructions(Operation.F32_FMA),
            rates.instructions(Operation.F32_FMA) / (copy / 8));
    return new FindingBuilder(
        List.of(memory, instructions, shared, copies, launches), claims, meaning);
  }

  /** Judges the share of the bus that a copy reaches. */
  static Claim copyClaim(double share) {
    return new Claim(
        "A copy reaches at least 80 % of the rate of the memory's bus (measured before on H200: 86 %).",
        share >= 0.8 ? Verdict.YES : Verdict.NO,
        FindingBuilder.text("%.0f %% of the bus", 100 * share));
  }

  /** Judges the shuffles of a multiprocessor in a period. */
  static Claim shuffleClaim(double warps) {
    return new Claim(
        "A multiprocessor takes one shuffle of a warp in a period of its clock (H800, B200).",
        warps >= 0.9 && warps <= 1.1 ? Verdict.YES : Verdict.NO,
        FindingBuilder.text("%.2f in a period", warps));
  }

  private static SurveyChart memory(Bench bench) {
    double bus = bench.limits().busRate();
    List<Curve> curves = new ArrayList<>();
    curves.add(stream(bench, "copy", Task.COPY, CacheHints.NONE, bus));
    curves.add(stream(bench, "copy, streaming hints", Task.COPY, CacheHints.STREAM_BOTH, bus));
    curves.add(stream(bench, "read", Task.READ, CacheHints.NONE, bus));
    curves.add(stream(bench, "write", Task.WRITE, CacheHints.NONE, bus));
    long bytes = bench.effort().arrayBytes();
    Timing driver = bench.time(launch -> bench.stream().copy(bench.input(), bytes, bench.output()));
    int words = Math.min(Bench.CHECKED_WORDS, bench.effort().arrayWords());
    bench.compare("the driver's copy", bench.read(words), Bench::inputWord);
    curves.add(
        new CurveBuilder("copy by the driver", "memory turns from reading to writing")
            .rate(16, 2.0 * bytes, driver, bus)
            .build());
    return new SurveyChart(
        "memory",
        "Device memory",
        new Axis("bytes of a load or store", "bytes", false),
        new Axis("read and written", "GB/s", false),
        curves,
        Double.isNaN(bus) ? List.of() : List.of(new Limit("bus of the memory", bus)));
  }

  private static Curve stream(Bench bench, String name, Task task, CacheHints hints, double bus) {
    CurveBuilder curve =
        new CurveBuilder(name, "too few bytes in flight, refreshes, and turns of the bus");
    for (int unitBytes : UNIT_BYTES) {
      StreamKernel kernel = DeviceRates.usual(task, unitBytes, THREAD_BYTES / unitBytes, hints);
      Timing timing = Streams.measure(bench, kernel);
      curve.rate(unitBytes, Streams.bytes(bench, kernel), timing, bus);
    }
    return curve.build();
  }

  private static SurveyChart instructions(Bench bench, DeviceRates rates) {
    List<Curve> curves = new ArrayList<>();
    for (Operation operation : Operation.values()) {
      Rates.RateRun run = Rates.measure(bench, operation);
      double lanes = InstructionRates.lanes(operation, bench.traits().capability());
      String reason =
          Double.isNaN(lanes)
              ? "the vendor's table is not known for this device"
              : operation == Operation.I32_ADD
                  ? "an instruction with three operands makes two additions"
                  : "other instructions of the loop";
      curves.add(
          new CurveBuilder(operation.name().toLowerCase(Locale.ROOT).replace('_', ' '), reason)
              .rate(curves.size() + 1, run.amount(), run.timing(), rates.perSecond(lanes))
              .build());
    }
    return new SurveyChart(
        "instructions",
        "Instructions",
        new Axis("number of the instruction", "", false),
        new Axis("instructions of lanes", "1e9/s", true),
        curves,
        List.of());
  }

  private static SurveyChart shared(Bench bench, DeviceRates rates) {
    double banks = rates.perSecond(InstructionRates.sharedBytes());
    CurveBuilder curve = new CurveBuilder("shared loads", "loads wait for their addresses");
    for (int unitBytes : UNIT_BYTES) {
      Rates.RateRun run = Rates.measure(bench, unitBytes, unitBytes / 4, Layout.PLAIN);
      curve.rate(unitBytes, run.amount(), run.timing(), banks);
    }
    return new SurveyChart(
        "shared",
        "Shared memory",
        new Axis("bytes of a load", "bytes", false),
        new Axis("loaded, all multiprocessors", "GB/s", false),
        List.of(curve.build()),
        List.of(new Limit("32 banks of 4 bytes a period", banks)));
  }
}
