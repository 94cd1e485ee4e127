/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import io.sparkstencil.cpu.CpuEngine;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.CellBuffer;
import io.sparkstencil.staging.HeapCellBuffer;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import io.sparkstencil.testkit.ResultComparator;
import io.sparkstencil.testkit.SeriesOracle;
import io.sparkstencil.testkit.TestSeries;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * One stencil over one staged batch of 2^24 floats on one thread, and {@link System#arraycopy} of
 * as many, which is the limit of anything that reads and writes each cell once.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 6, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 6, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-Xms2g", "-Xmx2g"})
@State(Scope.Thread)
public class CpuEngineBenchmark {
  static final int CELLS = 1 << 24;

  /** Results compared with the oracle, at the start, in the middle and at the end. */
  private static final int CHECKED_CELLS = 2000;

  /** Operation and accuracy; {@code copy} is arraycopy. */
  @Param("mean-exact")
  public String operation;

  /** The radius. */
  @Param("1")
  public int k;

  /** Whether the engine uses the Vector API. */
  @Param("true")
  public boolean vectors;

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
    Random random = new Random(20261121);
    for (int i = 0; i < cells.length; i++) {
      cells[i] = (float) random.nextGaussian();
    }
    batch = new StagedBatch(layout, input, false);
    stencils = List.of(engine.compile(spec));
  }

  static StencilSpec spec(String operation, int radius) {
    Frame frame = Frame.radius(radius);
    Stencil stencil =
        switch (operation) {
          case "copy", "mean-exact" -> Stencil.mean(frame);
          case "mean-fast" -> Stencil.mean(frame).withAccuracy(Accuracy.FAST);
          case "min-exact" -> Stencil.min(frame);
          case "max-exact" -> Stencil.max(frame);
          default -> throw new IllegalArgumentException(operation);
        };
    return new StencilSpec(stencil.withBoundary(Boundary.VALID), ElementType.F32);
  }

  /** The work that is timed. */
  @Benchmark
  public Object run() {
    if (operation.equals("copy")) {
      System.arraycopy(cells, 0, results, 0, CELLS);
    } else {
      lane.submit(batch, stencils, List.<CellBuffer>of(output)).await();
    }
    return results;
  }

  /**
   * Compares what the last call left with the oracle in places and with the plain loops everywhere,
   * then frees everything.
   */
  @TearDown
  public void check() {
    if (!operation.equals("copy")) {
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
      checkAll();
    } else if (results[CELLS - 1] != cells[CELLS - 1]) {
      throw new IllegalStateException("nothing was copied");
    }
    lane.close();
    engine.close();
  }

  private void checkAll() {
    StencilSpec spec = spec(operation.replace("mean-fast", "mean-exact"), k);
    CpuEngine loops = new CpuEngine(Map.of("spark.stencil.cpu.vectors", "false"));
    HeapCellBuffer expected = new HeapCellBuffer(ElementType.F32, results.length, false);
    try (Lane loopLane = loops.openLane()) {
      List<CompiledStencil> exact = List.of(loops.compile(spec));
      loopLane.submit(batch, exact, List.<CellBuffer>of(expected)).await();
    }
    float greatest = 0;
    for (float cell : cells) {
      greatest = Math.max(greatest, Math.abs(cell));
    }
    // Two orders of additions differ by at most twice what one of them differs from the true mean.
    int width = 2 * k + 1;
    float allowed = operation.equals("mean-fast") ? (width + 1) * Math.ulp(1f) * greatest : 0;
    float[] all = (float[]) expected.array();
    for (int i = 0; i < CELLS; i++) {
      boolean right =
          Float.floatToIntBits(all[i]) == Float.floatToIntBits(results[i])
              || (allowed > 0 && Math.abs(all[i] - results[i]) <= allowed);
      if (!right) {
        throw new IllegalStateException(
            "%s k=%d, cell %d: %s where plain loops have %s"
                .formatted(operation, k, i, results[i], all[i]));
      }
    }
  }
}
