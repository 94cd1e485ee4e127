/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.kernels.codegen.survey.TileCopyKernel;
import io.sparkstencil.kernels.codegen.survey.TileCopyKernel.Way;
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

/** Whether asynchronous copies to shared memory gain, by unit and by bytes of a thread. */
final class AsyncCopyExperiment implements SurveyExperiment {
  private static final int[] UNITS = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
  private static final int[] UNIT_BYTES = {4, 8, 16};
  private static final int FIRST_CAPABILITY = 80;
  private static final int FIRST_WITH_BULK = 90;
  private static final int CHECKED_BLOCKS = 4;

  /** Units of a thread for which both ways are near their best. */
  private static final int PROFILED_UNITS = 8;

  /** Before it are three of loads, three of copies by all caches and one past the first. */
  private static final int BULK_CURVE = 7;

  @Override
  public Experiment experiment() {
    return new Experiment(
        "async-copy",
        "Asynchronous copies to shared memory",
        "Is shared memory filled faster without passing through registers?",
        "Blocks of 128 threads copy 1 to 64 units of 4, 8 or 16 bytes per thread to shared memory, by"
            + " loads and stores, four in flight, or by cp.async, which takes units through the"
            + " first-level cache or, those of 16 bytes, past it;"
            + " or by one bulk copy for a block. The prediction is the rate of reading memory, less the"
            + " word that each thread writes.",
        "NVIDIA, CUDA C++ Best Practices Guide, A100: asynchronous copies are fastest with 8 or 16"
            + " bytes a thread; synchronous ones where the trip count is a multiple of 4.",
        "whether tiles are filled by cp.async");
  }

  @Override
  public FindingBuilder answer(Bench bench, DeviceRates rates) {
    List<Curve> curves = curves(bench, rates);
    SurveyChart chart =
        new SurveyChart(
            "units",
            "Global to shared memory",
            new Axis("units of a thread", "", true),
            new Axis("copied", "GB/s", false),
            curves,
            List.of(new Limit("read only", rates.read())));
    if (bench.traits().capability() < FIRST_CAPABILITY) {
      return new FindingBuilder(
          List.of(chart),
          List.of(),
          FindingBuilder.text(
              "This device has no asynchronous copies, which begin with compute capability 8.0; loads and stores fill shared memory at %.0f GB/s.",
              CurveBuilder.greatest(curves.get(2))));
    }
    double synchronous = CurveBuilder.greatest(curves.get(2));
    double asynchronous = CurveBuilder.greatest(curves.get(6));
    String meaning =
        FindingBuilder.text(
            "At 16 bytes a lane, cp.async reaches %.0f GB/s at best and loads with stores %.0f, a factor of %.2f; %s.",
            asynchronous,
            synchronous,
            asynchronous / synchronous,
            curves.size() > BULK_CURVE
                ? FindingBuilder.text(
                    "one bulk copy a block reaches %.0f",
                    CurveBuilder.greatest(curves.get(BULK_CURVE)))
                : "bulk copies begin with compute capability 9.0");
    return new FindingBuilder(
        List.of(chart),
        List.of(
            gainClaim(asynchronous / synchronous),
            widthClaim(
                CurveBuilder.greatest(curves.get(3)),
                CurveBuilder.greatest(curves.get(4)),
                CurveBuilder.greatest(curves.get(5)))),
        meaning);
  }

  private static List<Curve> curves(Bench bench, DeviceRates rates) {
    int capability = bench.traits().capability();
    List<Curve> curves = new ArrayList<>();
    for (int unitBytes : UNIT_BYTES) {
      curves.add(curve(bench, rates, Way.SYNCHRONOUS, unitBytes));
    }
    if (capability >= FIRST_CAPABILITY) {
      for (int unitBytes : UNIT_BYTES) {
        curves.add(curve(bench, rates, Way.ASYNC_ALL_CACHES, unitBytes));
      }
      curves.add(curve(bench, rates, Way.ASYNC_PAST_FIRST_CACHE, 16));
    }
    if (capability >= FIRST_WITH_BULK) {
      curves.add(curve(bench, rates, Way.BULK, 16));
    }
    return curves;
  }

  private static Curve curve(Bench bench, DeviceRates rates, Way way, int unitBytes) {
    String name =
        switch (way) {
          case SYNCHRONOUS -> "loads and stores, ";
          case ASYNC_ALL_CACHES -> "cp.async.ca, ";
          case ASYNC_PAST_FIRST_CACHE -> "cp.async.cg, ";
          case BULK -> "cp.async.bulk, ";
        };
    CurveBuilder curve =
        new CurveBuilder(name + unitBytes + " bytes", "too few or too many bytes of a block");
    for (int units : bench.effort().sweep(UNITS)) {
      TileCopyKernel kernel = new TileCopyKernel(way, unitBytes, units);
      long bytesPerBlock = kernel.tileBytes();
      int blocks = (int) (bench.effort().arrayBytes() / bytesPerBlock);
      if (kernel.sharedBytes() > bench.traits().sharedBytesPerBlock() || blocks == 0) {
        continue;
      }
      BenchLaunch work = BenchLaunch.of(kernel, blocks, bench.arguments());
      int checked = Math.min(blocks, CHECKED_BLOCKS);
      int words = checked * TileCopyKernel.THREADS;
      bench.check(work.with(checked), words, word -> expected(kernel, word));
      double bytes = (double) bytesPerBlock * blocks;
      double results = (double) blocks * TileCopyKernel.THREADS * Integer.BYTES;
      double predicted = rates.read() * bytes / (bytes + results);
      curve.rate(units, bytes, bench.time(work), predicted);
    }
    return curve.build();
  }

  /** Returns the rate of asynchronous copies over that of loads and stores; 1 without them. */
  static double gain(Bench bench) {
    if (bench.traits().capability() < FIRST_CAPABILITY) {
      return 1;
    }
    return millis(bench, Way.SYNCHRONOUS) / millis(bench, Way.ASYNC_PAST_FIRST_CACHE);
  }

  private static double millis(Bench bench, Way way) {
    TileCopyKernel kernel = new TileCopyKernel(way, 16, PROFILED_UNITS);
    int blocks = (int) (bench.effort().arrayBytes() / kernel.tileBytes());
    return bench.time(BenchLaunch.of(kernel, blocks, bench.arguments())).millis();
  }

  private static int expected(TileCopyKernel kernel, int word) {
    int threads = TileCopyKernel.THREADS;
    int perUnit = kernel.unitBytes() / Integer.BYTES;
    int first = word / threads * threads * kernel.unitsPerThread() + word % threads;
    int sum = 0;
    for (int unit = 0; unit < kernel.unitsPerThread(); unit++) {
      for (int i = 0; i < perUnit; i++) {
        sum += Bench.inputWord((first + unit * threads) * perUnit + i);
      }
    }
    return sum;
  }

  /** Judges the best asynchronous copy against the best synchronous one. */
  static Claim gainClaim(double gain) {
    return new Claim(
        "Asynchronous copies of 16 bytes are faster than loads and stores (A100).",
        gain > 1.02 ? Verdict.YES : gain < 0.98 ? Verdict.NO : Verdict.PARTLY,
        FindingBuilder.text("%.2f times as fast at best", gain));
  }

  /** Judges the best rates of units of 4, 8 and 16 bytes. */
  static Claim widthClaim(double four, double eight, double sixteen) {
    boolean wide = Math.max(eight, sixteen) > 1.02 * four;
    return new Claim(
        "Asynchronous copies are fastest with 8 or 16 bytes a thread (A100).",
        wide ? Verdict.YES : Verdict.NO,
        FindingBuilder.text(
            "%.0f, %.0f and %.0f GB/s with 4, 8 and 16 bytes", four, eight, sixteen));
  }
}
