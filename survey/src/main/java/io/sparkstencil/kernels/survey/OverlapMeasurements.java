/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.survey.StreamKernel;
import io.sparkstencil.kernels.codegen.survey.StreamKernel.Task;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.kernels.variant.CacheHints;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.SurveyChart;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;

/** Chunks of an array to the device, through a kernel, and back, with overlap and without. */
final class OverlapMeasurements {
  private static final int STREAMS = 3;
  private static final int[] CHUNKS = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  private static final int LEAST_CHUNK = 1 << 14;
  private static final long MOST = 64L << 20;
  private static final StreamKernel KERNEL =
      new StreamKernel(Task.COPY, 16, 1, CacheHints.NONE, 256, 0);

  private final Bench bench;
  private final DeviceRates rates;
  private final long bytes;

  OverlapMeasurements(Bench bench, DeviceRates rates) {
    this.bench = bench;
    this.rates = rates;
    this.bytes = Math.min(MOST, bench.effort().arrayBytes() / 2);
  }

  /** A stream with what its chunks go through. */
  private record Way(CudaStream stream, PinnedBuffer in, PinnedBuffer out) {}

  SurveyChart chart() {
    try (CloseScope owned = new CloseScope()) {
      List<Way> ways = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        PinnedBuffer in = owned.add(bench.context().allocatePinned(bytes));
        PinnedBuffer out = owned.add(bench.context().allocatePinned(bytes));
        IntBuffer words = in.view(0, bytes).asIntBuffer();
        for (int word = 0; word < words.capacity(); word++) {
          words.put(word, Bench.inputWord(word));
        }
        ways.add(new Way(owned.add(bench.context().newStream()), in, out));
      }
      return new SurveyChart(
          "chunks",
          "To the device, through a kernel, and back",
          new Axis("bytes of a chunk", "bytes", true),
          new Axis("data that came back", "GB/s", false),
          List.of(curve("three streams", ways), curve("one stream", ways.subList(0, 1))),
          List.of());
    }
  }

  private Curve curve(String name, List<Way> ways) {
    CurveBuilder curve =
        new CurveBuilder(name, "both directions share the host's memory, and chunks their starts");
    Way first = ways.get(0);
    double in = millis(first.stream, () -> first.stream.copyIn(first.in, bytes, target(0)));
    double out = millis(first.stream, () -> first.stream.copyOut(target(0), bytes, first.out));
    double kernel = 2 * bytes / rates.copy() / 1e6;
    int[] counts = bench.effort().sweep(CHUNKS);
    for (int i = counts.length - 1; i >= 0; i--) {
      long chunk = bytes / counts[i];
      if (chunk < LEAST_CHUNK) {
        continue;
      }
      List<Way> used = ways.subList(0, Math.min(ways.size(), counts[i]));
      used.forEach(way -> forget(way.out, chunk));
      Timing timing = bench.timeOnHost(() -> run(used, chunk));
      used.forEach(way -> check(way.out, chunk));
      double predicted =
          ways.size() > 1 ? overlapped(in, kernel, out, counts[i]) : in + kernel + out;
      curve.rate((double) chunk, (double) bytes, timing, bytes / predicted / 1e6);
    }
    return curve.build();
  }

  /**
   * Returns the milliseconds of chunks that go through three stages, one chunk in each at a time.
   *
   * @param in that of all chunks in the first stage, and so on
   */
  static double overlapped(double in, double kernel, double out, int chunks) {
    double slowest = Math.max(in, Math.max(kernel, out));
    return slowest + (in + kernel + out - slowest) / chunks;
  }

  private double millis(CudaStream stream, Runnable copy) {
    return bench
        .timeOnHost(
            () -> {
              copy.run();
              stream.synchronize();
            })
        .millis();
  }

  /** Returns where a byte of the array is on the device before the kernel. */
  private long target(long offset) {
    return bench.output() + offset;
  }

  private void run(List<Way> ways, long chunk) {
    LoadedKernel kernel = bench.kernel(KERNEL);
    int blocks = (int) (chunk / KERNEL.unitBytes() / KERNEL.threads());
    for (int i = 0; i < bytes / chunk; i++) {
      Way way = ways.get(i % ways.size());
      long copied = target(bytes + i * chunk);
      way.stream.copyIn(way.in, chunk, target(i * chunk));
      kernel.launch(
          way.stream,
          blocks,
          1,
          new LaunchArguments()
              .set(KernelParameter.INPUT, target(i * chunk))
              .set(KernelParameter.OUTPUT, copied));
      way.stream.copyOut(copied, chunk, way.out);
    }
    ways.forEach(way -> way.stream.synchronize());
  }

  /** Takes away what a chunk brought back before. */
  private static void forget(PinnedBuffer back, long chunk) {
    IntBuffer words = back.view(0, chunk).asIntBuffer();
    int count = Math.min(words.capacity(), Bench.CHECKED_WORDS);
    for (int i = 0; i < count; i++) {
      words.put(i, Bench.POISON);
    }
  }

  private void check(PinnedBuffer back, long chunk) {
    int words = (int) Math.min(chunk / Integer.BYTES, Bench.CHECKED_WORDS);
    int[] found = new int[words];
    back.view(0, chunk).asIntBuffer().get(found);
    bench.compare("a chunk that came back", found, Bench::inputWord);
  }
}
