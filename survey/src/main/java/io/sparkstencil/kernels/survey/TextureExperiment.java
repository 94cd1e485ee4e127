/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.cuda.CudaTexture;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.survey.GatherSumKernel;
import io.sparkstencil.kernels.codegen.survey.GatherSumKernel.Path;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.BenchLaunch;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.survey.bench.FindingBuilder;
import io.sparkstencil.kernels.survey.bench.InstructionRates;
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

/** Whether fetches from a texture gain on loads. */
final class TextureExperiment implements SurveyExperiment {
  private static final int[] TAPS = {1, 3, 5, 9, 17, 33};
  private static final int THREADS = GatherSumKernel.THREADS;
  private static final int CHECKED_BLOCKS = 8;

  /** The widest texture over plain memory of the devices since Volta that have least. */
  private static final int MOST_CELLS = 1 << 27;

  /** Logarithms of the cells that scattered lanes read from. */
  private static final int[] LOGS = {12, 14, 16, 18, 20, 22, 24, 26};

  private static final int SCATTERED_TAPS = 4;
  private static final int SECTOR_BYTES = 32;

  @Override
  public Experiment experiment() {
    return new Experiment(
        "texture",
        "Textures",
        "Do fetches from a texture gain on loads, in order or scattered?",
        "Sums of 1 to 33 neighbouring F32 cells, one output per thread, by plain loads, read-only loads"
            + " and fetches from a texture over the same memory; and sums of 4 cells that lanes find far"
            + " from each other, in 16 KiB to 256 MiB. The prediction is the slowest of memory, a request"
            + " of 128 bytes for each load of a warp, and 4 fetches per period of a multiprocessor; for"
            + " scattered cells, one sector of 32 bytes of memory for each.",
        "NVIDIA, CUDA C++ Programming Guide: texture fetches may be faster where accesses are local but"
            + " not coalesced.",
        "");
  }

  @Override
  public FindingBuilder answer(Bench bench, DeviceRates rates) {
    int cells = Math.min(MOST_CELLS, bench.effort().arrayWords());
    List<Curve> ordered = new ArrayList<>();
    List<Curve> scattered = new ArrayList<>();
    try (CudaTexture texture =
        bench.context().newTexture(bench.input(), (long) cells * Float.BYTES)) {
      for (Path path : Path.values()) {
        ordered.add(ordered(bench, rates, path, texture));
        scattered.add(scattered(bench, rates, path, texture, cells));
      }
    }
    double streamed = ratio(ordered);
    double gathered = ratio(scattered);
    String meaning =
        FindingBuilder.text(
            "For neighbouring cells, a texture is %.2f times as fast as read-only loads at best, and for scattered ones %.2f times.",
            streamed, gathered);
    return new FindingBuilder(
        List.of(
            new SurveyChart(
                "ordered",
                "Sums of neighbouring cells",
                new Axis("cells of a sum", "", true),
                new Axis("outputs", "1e9/s", true),
                ordered,
                List.of(new Limit("fastest copy of cells", rates.copy() / 8))),
            new SurveyChart(
                "scattered",
                "Sums of scattered cells",
                new Axis("memory", "bytes", true),
                new Axis("cells read", "1e9/s", true),
                scattered,
                List.of())),
        List.of(claim(streamed, gathered)),
        meaning);
  }

  /** Returns the best of the texture over the read-only path, of curves in the order of paths. */
  private static double ratio(List<Curve> curves) {
    double best = 0;
    for (int i = 0; i < curves.get(2).points().size(); i++) {
      best = Math.max(best, curves.get(2).points().get(i).y() / curves.get(1).points().get(i).y());
    }
    return best;
  }

  private static CurveBuilder builder(Path path) {
    return new CurveBuilder(
        path.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        "caches hold a part of the cells, or addresses take longer than their cells");
  }

  private static double perRequest(DeviceRates rates, Path path) {
    return path == Path.TEXTURE
        ? rates.perSecond(InstructionRates.TEXELS)
        : rates.shared() / Float.BYTES;
  }

  private static Curve ordered(Bench bench, DeviceRates rates, Path path, CudaTexture texture) {
    CurveBuilder curve = builder(path);
    for (int taps : bench.effort().sweep(TAPS)) {
      int outputs = Math.min(MOST_CELLS, bench.effort().arrayWords()) - taps;
      GatherSumKernel kernel = new GatherSumKernel(path, taps, false);
      double nanos = Math.max(2 * Float.BYTES / rates.copy(), taps / perRequest(rates, path));
      measure(bench, curve, taps, kernel, texture, outputs / THREADS, -1, 1, 1 / nanos);
    }
    return curve.build();
  }

  private static Curve scattered(
      Bench bench, DeviceRates rates, Path path, CudaTexture texture, int cells) {
    CurveBuilder curve = builder(path);
    int blocks = Math.min(cells / THREADS, 1 << 14);
    GatherSumKernel kernel = new GatherSumKernel(path, SCATTERED_TAPS, true);
    for (int log : bench.effort().sweep(LOGS)) {
      int span = Math.min(1 << log, cells);
      boolean cached = (long) span * Float.BYTES <= bench.limits().cacheBytes();
      double predicted =
          cached ? Double.NaN : Math.min(perRequest(rates, path), rates.read() / SECTOR_BYTES);
      double bytes = (double) span * Float.BYTES;
      measure(bench, curve, bytes, kernel, texture, blocks, span - 1, SCATTERED_TAPS, predicted);
    }
    return curve.build();
  }

  private static void measure(
      Bench bench,
      CurveBuilder curve,
      double x,
      GatherSumKernel kernel,
      CudaTexture texture,
      int blocks,
      int mask,
      int perThread,
      double predicted) {
    BenchLaunch work =
        BenchLaunch.of(
            kernel,
            blocks,
            bench
                .arguments()
                .set(KernelParameter.TEXTURE, texture.handle())
                .set(KernelParameter.SHIFT, mask));
    int checked = Math.min(blocks, CHECKED_BLOCKS);
    bench.check(work.with(checked), checked * THREADS, thread -> expected(kernel, thread, mask));
    curve.rate(x, (double) perThread * blocks * THREADS, bench.time(work), predicted);
  }

  private static int expected(GatherSumKernel kernel, int thread, int mask) {
    float sum = 0;
    int step = kernel.scattered() ? GatherSumKernel.SPREAD : 1;
    int tapStep = kernel.scattered() ? GatherSumKernel.TAP_SPREAD : 1;
    for (int tap = 0; tap < kernel.taps(); tap++) {
      sum += Bench.inputCell((thread * step + tap * tapStep) & mask);
    }
    return Float.floatToRawIntBits(sum);
  }

  /** Judges the best of the texture over the read-only path, in order and scattered. */
  static Claim claim(double ordered, double scattered) {
    boolean either = ordered > 1.05 || scattered > 1.05;
    return new Claim(
        "Fetches from textures may be faster than loads (CUDA C++ Programming Guide).",
        scattered > 1.05 ? Verdict.YES : either ? Verdict.PARTLY : Verdict.NO,
        FindingBuilder.text(
            "%.2f times read-only loads in order, %.2f times scattered, at best",
            ordered, scattered));
  }
}
