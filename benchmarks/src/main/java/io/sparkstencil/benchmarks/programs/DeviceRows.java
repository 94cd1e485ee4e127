/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.programs;

import io.sparkstencil.benchmarks.programs.MeasuredProgram.Pattern;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.kernels.program.DeviceProgram;
import io.sparkstencil.kernels.program.GpuPrograms;
import io.sparkstencil.kernels.tuning.LaunchTimer;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Programs on a GPU, whose fields stay in its memory: the time between events around many steps,
 * boundaries held. Before it, results are compared with the reference.
 */
final class DeviceRows implements AutoCloseable {
  private static final String UNIT = "G cell-steps/s";
  private static final String FUSED = "fused steps";
  private static final long COPIED_BYTES = 1L << 30;
  private static final int THREADS = Math.min(8, Runtime.getRuntime().availableProcessors());
  private static final int SAMPLES = 7;
  private static final double SAMPLE_MILLIS = 30;

  /** After so long, a device that reaches its power limit has found the clock that it keeps. */
  private static final double SETTLING_MILLIS = 1000;

  /** Multiprocessors, clock and lanes of an H200: operations in thousands of millions a second. */
  private static final double H200_F32 = 132 * 128 * 1.98;

  /** What other codes reached on an H200, each in its own program; see benchmarks/README.md. */
  private record Peer(Pattern pattern, ElementType type, String name, double rate) {}

  private static final List<Peer> PEERS =
      List.of(
          new Peer(Pattern.FIVE, ElementType.F64, "FastStencil", 2080),
          new Peer(Pattern.FIVE, ElementType.F32, "AN5D", 966),
          new Peer(Pattern.NINE, ElementType.F64, "FastStencil", 1283),
          new Peer(Pattern.NINE, ElementType.F32, "EBISU", 855),
          new Peer(Pattern.THIRTEEN, ElementType.F64, "FastStencil", 733),
          new Peer(Pattern.TWENTY_FIVE, ElementType.F64, "FastStencil", 491),
          new Peer(Pattern.FORTY_NINE, ElementType.F64, "FastStencil", 251),
          new Peer(Pattern.SEVEN, ElementType.F64, "FastStencil", 583),
          new Peer(Pattern.SEVEN, ElementType.F32, "AN5D", 218),
          new Peer(Pattern.TWENTY_SEVEN, ElementType.F64, "FastStencil", 312),
          new Peer(Pattern.TWENTY_SEVEN, ElementType.F32, "AN5D", 263),
          new Peer(Pattern.WAVE, ElementType.F32, "minimod", 77));

  private final PrimaryContext context;
  private final GpuPrograms engine;
  private final Consumer<BenchmarkRow> rows;
  private final double copyGigabytes;

  private final HostArrays host = new HostArrays();

  DeviceRows(CudaDriver driver, Consumer<BenchmarkRow> rows) {
    this.rows = rows;
    context = driver.open(0);
    try {
      engine = GpuPrograms.open(driver, context.traits(), Map.of());
      copyGigabytes = copyGigabytes();
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  /** Returns the rate of the driver's copy, bytes read and written, in thousands of millions. */
  private double copyGigabytes() {
    try (DeviceBuffer from = context.allocateDevice(COPIED_BYTES);
        DeviceBuffer to = context.allocateDevice(COPIED_BYTES);
        CudaStream stream = context.newStream();
        LaunchTimer timer = new LaunchTimer(context, stream, SAMPLES, 8)) {
      stream.fill(from.address(), COPIED_BYTES, (byte) 1);
      double millis =
          timer.time(launch -> stream.copy(from.address(), COPIED_BYTES, to.address())).millis();
      System.out.printf("copy: %.0f GB/s%n", 2 * COPIED_BYTES / millis / 1e6);
      return 2 * COPIED_BYTES / millis / 1e6;
    }
  }

  /** Measures a program, and adds a row per limit and per peer. */
  void measure(MeasuredProgram what) {
    Stopwatch watch = new Stopwatch();
    ProgramArrays cells = host.cells(what);
    ProgramArrays results = host.results(what);
    ProgramArrays poison = host.poison(what);
    watch.lap("arrays");
    try (DeviceProgram fields = engine.open(what.program(), what.type(), what.extent())) {
      watch.lap("kernels");
      int atOnce = fields.stepsAtOnce();
      // a step of poisoned cells leaves such cells in all arrays
      fields.load(poison, THREADS);
      fields.step(ParameterValues.NONE, 0, 1);
      fields.load(cells, THREADS);
      // two passes and a single step
      int steps = 2 * atOnce + 1;
      fields.step(ParameterValues.NONE, 0, steps);
      fields.store(results, THREADS);
      watch.lap("copies");
      int updated = what.program().updates().size();
      long wrong = new ProgramCheck(what, steps).wrong(results.arrays().subList(0, updated));
      watch.lap("check");
      BenchmarkRow row = add(what, rates(what, fields, atOnce), wrong, atOnce);
      new EndsRows(context)
          .insideAlone(what, atOnce)
          .ifPresent(
              rate ->
                  rows.accept(
                      row.against("inside alone", row.value() / rate)
                          .noted("without the cells beside the ends: %.0f".formatted(rate))));
      watch.lap("steps");
    }
    System.out.println(what.name() + " took" + watch);
  }

  /** Says how long the parts of a measurement take: time on devices is scarce. */
  private static final class Stopwatch {
    private final StringBuilder laps = new StringBuilder();
    private long last = System.nanoTime();

    void lap(String part) {
      long now = System.nanoTime();
      laps.append(" %s %.1f s".formatted(part, (now - last) / 1e9));
      last = now;
    }

    @Override
    public String toString() {
      return laps.toString();
    }
  }

  private List<Double> rates(MeasuredProgram what, DeviceProgram fields, int atOnce) {
    int steps = 2 * atOnce;
    double probe = times(fields, 1, steps).get(0);
    steps *= Math.max(1, (int) Math.ceil(SAMPLE_MILLIS / probe));
    double work = (double) what.extent().cells() * steps / 1e6;
    int settling = Math.max(1, (int) (SETTLING_MILLIS / SAMPLE_MILLIS));
    return times(fields, settling + SAMPLES, steps).stream()
        .skip(settling)
        .map(millis -> work / millis)
        .toList();
  }

  /** Returns the milliseconds of a number of steps, several times, after as many that are not. */
  private List<Double> times(DeviceProgram fields, int samples, int steps) {
    List<CudaEvent> events = new ArrayList<>();
    try {
      fields.step(ParameterValues.NONE, 0, steps);
      for (int sample = 0; sample <= samples; sample++) {
        events.add(context.newEvent());
      }
      events.get(0).record(fields.stream());
      for (int sample = 1; sample <= samples; sample++) {
        fields.step(ParameterValues.NONE, 0, steps);
        events.get(sample).record(fields.stream());
      }
      fields.stream().synchronize();
      List<Double> millis = new ArrayList<>();
      for (int sample = 1; sample <= samples; sample++) {
        millis.add(events.get(sample).millisSince(events.get(sample - 1)));
      }
      return millis;
    } finally {
      CloseScope.closeAll(events);
    }
  }

  private BenchmarkRow add(MeasuredProgram what, List<Double> rates, long wrong, int atOnce) {
    String note =
        "%s cells, %d steps at once%s"
            .formatted(
                what.sizes(), atOnce, wrong == 0 ? "" : ", %d results WRONG".formatted(wrong));
    double copied = copyGigabytes / what.bytes();
    BenchmarkRow row =
        BenchmarkRow.of(what.name(), FUSED, "copy limit", rates, UNIT, 0, wrong == 0, note);
    rows.accept(
        row.against("copy limit", row.value() / copied)
            .noted("one step at the rate of a copy: %.0f".formatted(copied)));
    if (context.traits().name().contains("H200")) {
      double lanes = what.type() == ElementType.F32 ? H200_F32 : H200_F32 / 2;
      double roof = lanes / what.operations();
      rows.accept(
          row.against("FP roof", row.value() / roof)
              .noted("%d operations, roof %.0f".formatted(what.operations(), roof)));
      for (Peer peer : PEERS) {
        if (peer.pattern() == what.pattern()
            && peer.type() == what.type()
            && what.accuracy() == Accuracy.FMA) {
          rows.accept(
              row.against(peer.name(), row.value() / peer.rate())
                  .noted("%s: %.0f".formatted(peer.name(), peer.rate())));
        }
      }
    }
    return row;
  }

  @Override
  public void close() {
    engine.close();
    context.close();
  }
}
