/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.cpu;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.cpu.CpuEngine;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import io.sparkstencil.testkit.ResultComparator;
import io.sparkstencil.testkit.SeriesOracle;
import io.sparkstencil.testkit.TestSeries;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One stencil over one staged batch of 2^24 floats on one thread. Before every call the same cells
 * are copied by {@link System#arraycopy}, which is the limit of anything that reads and writes each
 * cell once, and timed: machines whose memory others use are slower at one time than at another.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 11, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-Xms2g", "-Xmx2g"})
@State(Scope.Thread)
public class CpuEngineBenchmark {
  static final int CELLS = 1 << 24;

  /** Results compared with the oracle, at the start, in the middle and at the end. */
  private static final int CHECKED_CELLS = 2000;

  /** Operation and accuracy. */
  @Param("mean-exact")
  public String operation;

  /** The radius. */
  @Param("1")
  public int k;

  /** Whether the engine uses the Vector API. */
  @Param("true")
  public boolean vectors;

  /** The copies of one iteration. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Copies {
    /** Their time. */
    public long nanos;

    /** Their number. */
    public long count;
  }

  private CpuEngine engine;
  private Lane lane;
  private StagedBatch batch;
  private List<CompiledStencil> stencils;
  private HeapCellBuffer output;
  private float[] cells;
  private float[] results;

  /** Stages the cells. */
  @Setup
  public void stage() {
    StencilSpec spec = spec(operation, k);
    engine = new CpuEngine(Map.of("spark.stencil.cpu.vectors", Boolean.toString(vectors)));
    lane = engine.openLane();
    StagingLayout layout = new StagingLayout(spec.frame().left(), spec.frame().right());
    layout.add(CELLS, 0, 0);
    HeapCellBuffer input =
        (HeapCellBuffer) lane.lease(ElementType.F32, layout.stagedCells(), false);
    output = (HeapCellBuffer) lane.lease(ElementType.F32, layout.stagedCells(), false);
    cells = (float[]) input.array();
    results = (float[]) output.array();
    SplittableRandom random = new SplittableRandom(20261121);
    for (int i = 0; i < cells.length; i++) {
      // The sum of four has nearly the shape of a Gaussian; sums of up to 2^7 are exact.
      long bits = random.nextLong();
      cells[i] =
          ((short) bits + (short) (bits >> 16) + (short) (bits >> 32) + (short) (bits >> 48))
              * 0x1p-15f;
    }
    batch = new StagedBatch(layout, input, false);
    stencils = List.of(engine.compile(spec));
  }

  static StencilSpec spec(String operation, int radius) {
    Frame frame = Frame.radius(radius);
    Stencil stencil =
        switch (operation) {
          case "mean-exact" -> Stencil.mean(frame);
          case "mean-fast" -> Stencil.mean(frame).withAccuracy(Accuracy.FAST);
          case "min-exact" -> Stencil.min(frame);
          case "max-exact" -> Stencil.max(frame);
          default -> throw new IllegalArgumentException(operation);
        };
    return new StencilSpec(stencil.withBoundary(Boundary.VALID), ElementType.F32);
  }

  /** Times a copy of the cells. */
  @Setup(Level.Invocation)
  public void copy(Copies copies) {
    long start = System.nanoTime();
    System.arraycopy(cells, 0, results, 0, CELLS);
    copies.nanos += System.nanoTime() - start;
    copies.count++;
  }

  /** The work that is timed. */
  @Benchmark
  public Object run() {
    lane.submit(batch, stencils, List.<CellBuffer>of(output)).await();
    return results;
  }

  /**
   * Compares what the last call left with the oracle in places and, everywhere, with the plain
   * loops or, fast means, with differences of sums; then frees everything.
   */
  @TearDown
  public void check() {
    StencilSpec spec = spec(operation, k);
    int[] starts = {0, CELLS / 2 + 13, CELLS - CHECKED_CELLS};
    for (int start : starts) {
      float[] around = Arrays.copyOfRange(cells, start, start + CHECKED_CELLS + 2 * k);
      SeriesOracle.Expected expected =
          SeriesOracle.expected(new TestSeries(ElementType.F32, around, null), spec);
      float[] actual = new float[around.length];
      System.arraycopy(results, start, actual, k, CHECKED_CELLS);
      ResultComparator.difference(spec, expected, actual, expected.validity())
          .ifPresent(
              words -> {
                throw new IllegalStateException(
                    "%s k=%d from cell %d: %s".formatted(operation, k, start, words));
              });
    }
    if (operation.equals("mean-fast")) {
      checkMeans();
    } else {
      checkExact();
    }
    lane.close();
    engine.close();
  }

  private void checkExact() {
    CpuEngine loops = new CpuEngine(Map.of("spark.stencil.cpu.vectors", "false"));
    HeapCellBuffer expected = new HeapCellBuffer(ElementType.F32, results.length, false);
    try (Lane loopLane = loops.openLane()) {
      List<CompiledStencil> exact = List.of(loops.compile(spec(operation, k)));
      loopLane.submit(batch, exact, List.<CellBuffer>of(expected)).await();
    }
    float[] all = (float[]) expected.array();
    for (int i = 0; i < CELLS; i++) {
      if (Float.floatToIntBits(all[i]) != Float.floatToIntBits(results[i])) {
        throw wrong(i, all[i]);
      }
    }
  }

  /**
   * Sums of all cells up to each, in double precision, differ by those of frames. Sums of some
   * thousands of such cells are exact in any order; only scaling rounds.
   */
  private void checkMeans() {
    int width = 2 * k + 1;
    double before = 0;
    double upTo = 0;
    for (int i = 0; i < width - 1; i++) {
      upTo += cells[i];
    }
    for (int i = 0; i < CELLS; i++) {
      upTo += cells[i + width - 1];
      double mean = (upTo - before) / width;
      if (!(Math.abs(mean - results[i]) <= 2 * Math.ulp((float) mean))) {
        throw wrong(i, mean);
      }
      before += cells[i];
    }
  }

  private IllegalStateException wrong(int cell, double expected) {
    return new IllegalStateException(
        "%s k=%d, cell %d: %s where it should be %s"
            .formatted(operation, k, cell, results[cell], expected));
  }
}
