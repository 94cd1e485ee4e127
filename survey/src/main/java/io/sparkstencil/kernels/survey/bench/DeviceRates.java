/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey.bench;

import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.survey.ClockKernel;
import io.sparkstencil.kernels.codegen.survey.RateKernel.Operation;
import io.sparkstencil.kernels.codegen.survey.SharedLoadKernel.Layout;
import io.sparkstencil.kernels.codegen.survey.StreamKernel;
import io.sparkstencil.kernels.codegen.survey.StreamKernel.Task;
import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.kernels.variant.CacheHints;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * The rates that predictions are made from, each measured when it is first asked for. Rates of
 * memory are in GB/s.
 */
public final class DeviceRates {
  private static final int CLOCK_THREADS = 128;

  /** So that the gap between two launches does not count. */
  private static final int CLOCK_TURNS = 16;

  /** Measurements of the clock, and what share of the time before counts as the same. */
  private static final int FEWEST_ROUNDS = 4;

  private static final int MOST_ROUNDS = 24;
  private static final double SETTLED = 0.99;

  private static final int[] UNITS = {1, 2, 4};

  private final Bench bench;
  private final Map<String, Double> measured = new HashMap<>();

  /** Creates rates of the device of {@code bench}; measures nothing yet. */
  public DeviceRates(Bench bench) {
    this.bench = bench;
  }

  private double once(String name, DoubleSupplier measure) {
    Double known = measured.get(name);
    if (known == null) {
      known = measure.getAsDouble();
      measured.put(name, known);
    }
    return known;
  }

  /** Returns the rate of the fastest plain copy, counted twice: read and written. */
  public double copy() {
    return once("copy", () -> stream(Task.COPY));
  }

  /** Returns the rate of reading alone. */
  public double read() {
    return once("read", () -> stream(Task.READ));
  }

  /** Returns the rate of writing alone. */
  public double write() {
    return once("write", () -> stream(Task.WRITE));
  }

  private double stream(Task task) {
    double best = 0;
    for (CacheHints hints : List.of(CacheHints.NONE, CacheHints.STREAM_BOTH)) {
      for (int units : UNITS) {
        best = Math.max(best, rate(usual(task, 16, units, hints)));
      }
    }
    return best;
  }

  /** Returns a kernel over memory in blocks of 256 threads. */
  public static StreamKernel usual(Task task, int unitBytes, int units, CacheHints hints) {
    int each = task == Task.READ ? 4 * units : units;
    return new StreamKernel(task, unitBytes, each, hints, 256, 0);
  }

  private double rate(StreamKernel kernel) {
    Timing timing = Streams.measure(bench, kernel);
    return Streams.bytes(bench, kernel) / timing.millis() / 1e6;
  }

  /** Returns the instructions of lanes, in 1e9 a second. */
  public double instructions(Operation operation) {
    return once(operation.name(), () -> Rates.measure(bench, operation).rate());
  }

  /** Returns the rate of shared memory without conflicts, all multiprocessors together. */
  public double shared() {
    return once("shared", () -> Rates.measure(bench, 4, 1, Layout.PLAIN).rate());
  }

  /** Returns the clock of the multiprocessors while they compute, in MHz. */
  public double clockMegahertz() {
    return once("clock", this::measureClock);
  }

  /** Returns what all multiprocessors do in a second, in 1e9, of what one does in a period. */
  public double perSecond(double perPeriod) {
    return perPeriod * bench.traits().multiprocessors() * clockMegahertz() * 1e6 / 1e9;
  }

  private double measureClock() {
    int turns = CLOCK_TURNS * bench.effort().turns();
    int blocks = bench.fill(1);
    int threads = CLOCK_THREADS * blocks;
    ClockKernel kernel = new ClockKernel(turns, CLOCK_THREADS);
    BenchLaunch work =
        BenchLaunch.of(kernel, blocks, bench.arguments().set(KernelParameter.POSITIONS, threads));
    double millis = settledMillis(work);
    int[] words = bench.run(work, 3 * threads);
    long ticks = 0;
    for (int i = 0; i < threads; i++) {
      ticks = Math.max(ticks, (words[2 * i] & 0xFFFF_FFFFL) | ((long) words[2 * i + 1] << 32));
    }
    int[] lanes = Rates.narrow(Operation.F32_FMA, turns);
    int[] results = Arrays.copyOfRange(words, 2 * threads, 3 * threads);
    bench.compare(kernel.entryName(), results, i -> lanes[i % lanes.length]);
    return ticks / millis / 1e3;
  }

  /** Times work until it no longer gets faster: an idle device raises its clock by and by. */
  private double settledMillis(BenchLaunch work) {
    double now = bench.time(work).millis();
    for (int round = 1; round < MOST_ROUNDS; round++) {
      double before = now;
      now = bench.time(work).millis();
      if (round >= FEWEST_ROUNDS && now > SETTLED * before) {
        break;
      }
    }
    return now;
  }
}
