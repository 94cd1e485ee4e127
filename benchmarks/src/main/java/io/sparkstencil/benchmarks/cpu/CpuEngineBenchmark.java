/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.cpu;

import io.sparkstencil.benchmarks.loops.LoopWork;
import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.cpu.CpuEngine;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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

  /** Operation and accuracy. */
  @Param("mean/exact")
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

  private LoopWork work;
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
    work = LoopWork.parse("%s/f32/k=%d".formatted(operation, k));
    engine = new CpuEngine(Map.of("spark.stencil.cpu.vectors", Boolean.toString(vectors)));
    lane = engine.openLane();
    StagingLayout layout = new StagingLayout(k, k);
    layout.add(CELLS, 0, 0);
    int staged = Math.toIntExact(layout.stagedCells());
    HeapCellBuffer input = (HeapCellBuffer) lane.lease(ElementType.F32, staged, false);
    output = (HeapCellBuffer) lane.lease(ElementType.F32, staged, false);
    cells = (float[]) input.array();
    results = (float[]) output.array();
    System.arraycopy(work.cells(staged, 20261121), 0, cells, 0, staged);
    batch = new StagedBatch(layout, input, false);
    stencils = List.of(engine.compile(work.spec()));
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

  /** Compares what the last call left with loops in plain Java; then frees everything. */
  @TearDown
  public void check() {
    float[] staged = Arrays.copyOf(cells, CELLS + 2 * k);
    long wrong = work.wrong(work.tapByTap(staged), 0, CELLS, i -> results[i]);
    if (wrong > 0) {
      throw new IllegalStateException("%s: %d results are wrong".formatted(work, wrong));
    }
    lane.close();
    engine.close();
  }
}
