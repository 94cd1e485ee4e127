/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.CurveBuilder;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.SurveyChart;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Copies between host and device, from small ones to large ones. */
final class LinkMeasurements {
  private static final long SMALLEST = 4096;
  private static final int FACTOR = 4;

  /** Pageable copies are slower, and need no larger sizes to show it. */
  private static final long LARGEST_PAGEABLE = 64L << 20;

  private final Bench bench;

  LinkMeasurements(Bench bench) {
    this.bench = bench;
  }

  /** One size's time. */
  private record Sample(double bytes, Timing timing) {}

  /** Returns the chart of all ways. */
  SurveyChart chart() {
    long most = bench.effort().transferBytes();
    List<Curve> curves = new ArrayList<>();
    try (PinnedBuffer in = bench.context().allocatePinned(most);
        PinnedBuffer out = bench.context().allocatePinned(most);
        CudaStream other = bench.context().newStream()) {
      CudaStream stream = bench.stream();
      fill(in.view(0, most));
      curves.add(
          curve("pinned, to the device", 1, most, n -> stream.copyIn(in, n, bench.output())));
      check(most, out);
      curves.add(curve("pinned, to the host", 1, most, n -> stream.copyOut(bench.input(), n, out)));
      curves.add(curve("pinned, both ways at once", 2, most, n -> copyBothWays(in, out, other, n)));
    }
    addPageable(curves, Math.min(most, LARGEST_PAGEABLE));
    return new SurveyChart(
        "links",
        "Copies between host and device",
        new Axis("bytes of a copy", "bytes", true),
        new Axis("copied", "GB/s", true),
        curves,
        List.of());
  }

  private void copyBothWays(PinnedBuffer in, PinnedBuffer out, CudaStream other, long bytes) {
    bench.stream().copyIn(in, bytes, bench.output());
    other.copyOut(bench.input(), bytes, out);
    other.synchronize();
  }

  /** Returns the rate of large pinned copies in both directions at once, both added, in GB/s. */
  double bothWays() {
    long bytes = Math.min(bench.effort().transferBytes(), LARGEST_PAGEABLE);
    try (PinnedBuffer in = bench.context().allocatePinned(bytes);
        PinnedBuffer out = bench.context().allocatePinned(bytes);
        CudaStream other = bench.context().newStream()) {
      Timing timing = time(() -> copyBothWays(in, out, other, bytes));
      return 2.0 * bytes / timing.millis() / 1e6;
    }
  }

  /** Times copies until they are done. */
  private Timing time(Runnable copies) {
    return bench.timeOnHost(
        () -> {
          copies.run();
          bench.stream().synchronize();
        });
  }

  private void addPageable(List<Curve> curves, long most) {
    ByteBuffer memory = ByteBuffer.allocateDirect(Math.toIntExact(most));
    fill(memory.duplicate());
    CudaStream stream = bench.stream();
    curves.add(
        curve(
            "pageable, to the device",
            1,
            most,
            n -> stream.copyInPageable(memory.slice(0, (int) n), bench.output())));
    curves.add(
        curve(
            "pageable, to the host",
            1,
            most,
            n -> stream.copyOutPageable(bench.output(), memory.slice(0, (int) n))));
  }

  private static void fill(ByteBuffer bytes) {
    for (int i = 0; bytes.hasRemaining(); i++) {
      bytes.put((byte) (i % 127 + 1));
    }
  }

  /** Compares what the last copy has brought to the device. */
  private void check(long bytes, PinnedBuffer back) {
    bench.stream().copyOut(bench.output(), bytes, back);
    bench.stream().synchronize();
    ByteBuffer view = back.view(0, bytes);
    int words = (int) Math.min(bytes / Integer.BYTES, Bench.CHECKED_WORDS);
    int[] found = new int[words];
    view.asIntBuffer().get(found);
    ByteBuffer wanted = ByteBuffer.allocate(words * Integer.BYTES).order(view.order());
    fill(wanted.duplicate());
    bench.compare("a copy to the device", found, i -> wanted.getInt(i * Integer.BYTES));
  }

  private Curve curve(String name, int directions, long most, LongConsumer copy) {
    List<Sample> samples = new ArrayList<>();
    for (long bytes = SMALLEST; bytes <= most; bytes *= FACTOR) {
      long size = bytes;
      Timing timing = time(() -> copy.accept(size));
      samples.add(new Sample(bytes, timing));
    }
    double start = samples.get(0).timing.millis();
    Sample largest = samples.get(samples.size() - 1);
    CurveBuilder curve =
        new CurveBuilder(name, "copies of this size are not one start and one rate");
    for (Sample sample : samples) {
      double bytes = directions * sample.bytes;
      double predicted = predicted(sample.bytes, start, largest.bytes, largest.timing.millis());
      curve.rate(sample.bytes, bytes, sample.timing, directions * predicted);
    }
    return curve.build();
  }

  /**
   * Returns the rate of a copy in one direction, in GB/s, by the time of the smallest copy and the
   * rate of the largest.
   *
   * @param startMillis the time of a copy of next to nothing
   */
  static double predicted(
      double bytes, double startMillis, double largestBytes, double largestMillis) {
    double rate = largestBytes / Math.max(largestMillis - startMillis, largestMillis / 2);
    return bytes / (startMillis + bytes / rate) / 1e6;
  }
}
