/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.soak;

import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.grid.CellChange;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.grid.GridListener;
import io.sparkstencil.spark.grid.GridParameters;
import io.sparkstencil.spark.grid.GridProgress;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.testkit.programs.HoldingEngine;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;

/**
 * Grids, each in an application of its own and with five faults on its way: the engine that holds
 * its blocks loses its device or its memory, a function or a listener of the user fails, or the job
 * is cancelled. Every result is compared; what is left and how much memory is in use is looked at
 * after each.
 */
final class GridSoak {
  private static final int BLOCKS = 8;
  private static final int FAULTS = 5;

  /** When a job may be cancelled. */
  private static final int MOST_MILLIS = 10;

  static final double COEFFICIENT = 0.125;

  private static final List<String> HEAT =
      List.of(
          "u' = u + a*(u[-1] + u[1] - 2*u)",
          "u' = u + a*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)",
          "u' = u + a*(u[-1,0,0] + u[1,0,0] + u[0,-1,0] + u[0,1,0] + u[0,0,-1] + u[0,0,1] - 6*u)");

  private static final List<Extent> EXTENTS =
      List.of(Extent.of(3000), Extent.of(61, 47), Extent.of(17, 15, 13));

  /** The step whose parameters cannot be had; tasks run in this process. */
  private static final AtomicLong BAD_STEP = new AtomicLong(-1);

  private enum Trouble {
    DEVICE_LOST,
    OUT_OF_MEMORY,
    FUNCTION,
    LISTENER,
    CANCELLED
  }

  private final SplittableRandom random;
  private final String below;
  private final String master;

  /**
   * Prepares the run.
   *
   * @param below the engine that holds the blocks, or cpu for memory on the heap
   * @param master Spark's, in this process
   */
  GridSoak(String below, String master, long seed) {
    this.below = below;
    this.master = master;
    this.random = new SplittableRandom(seed);
  }

  /** Takes {@code grids} grids through at least {@code supersteps} supersteps each. */
  Soak.SoakOutcome run(int grids, int supersteps) throws Exception {
    List<Soak.Sample> samples = new ArrayList<>();
    int faults = 0;
    long start = System.nanoTime();
    for (int i = 0; i < grids; i++) {
      if (below.equals("cpu")) {
        HoldingEngine.enable(BLOCKS);
      } else {
        HoldingEngine.enable(BLOCKS, below);
      }
      SparkSession spark = LocalSpark.session("grid soak", master).getOrCreate();
      int left;
      long disk;
      try {
        spark.sparkContext().setLogLevel("OFF"); // of the faults
        faults += run(spark, supersteps);
        left = left();
        disk = diskBytes();
      } finally {
        spark.stop();
        HoldingEngine.disable();
      }
      samples.add(Soak.sample(left + HoldingEngine.open(), disk));
    }
    return new Soak.SoakOutcome(grids, faults, (System.nanoTime() - start) * 1e-9, samples);
  }

  /** Returns how many blocks are left in the end; executors drop them in the background. */
  private static int left() throws InterruptedException {
    int left = 1;
    for (int i = 0; i < 500 && left > 0; i++) {
      Thread.sleep(20);
      int stored = SparkEnv.get().blockManager().getMatchingBlockIds(id -> id.isRDD()).size();
      left = BlockRegistry.of(ExecutorRuntime.current()).count() + HoldingEngine.open() + stored;
    }
    return left;
  }

  /** Returns the bytes of the files in which Spark keeps blocks. */
  private static long diskBytes() {
    return ScalaInterop.list(SparkEnv.get().blockManager().diskBlockManager().getAllFiles())
        .stream()
        .mapToLong(File::length)
        .sum();
  }

  /** Takes a grid through at least so many supersteps; returns how many faults it has met. */
  private int run(SparkSession spark, int supersteps) throws InterruptedException {
    int dimensions = 1 + random.nextInt(3);
    ElementType type = random.nextBoolean() ? ElementType.F32 : ElementType.F64;
    Boundary boundary = random.nextBoolean() ? Boundary.WRAP : Boundary.REFLECT;
    StencilProgram program = heat(dimensions, boundary);
    Extent extent = extent(dimensions);
    int steps = 1 + random.nextInt(4);
    Faults faults = new Faults(spark);
    try (StencilGrid first =
        StencilGrids.builder(spark, program)
            .extent(extent.sizes().stream().mapToLong(Integer::longValue).toArray())
            .type(type)
            .field("u", GridSoak::first)
            .parameters(new Coefficients())
            .blocks(1 + random.nextInt(BLOCKS))
            .stepsPerExchange(steps)
            .listener(faults)
            .create()) {
      StencilGrid grid = first;
      long part = (long) steps * supersteps / FAULTS;
      while (faults.met < FAULTS) { // a job may have ended before it is cancelled
        // what an engine held is on the heap after its fault: it comes first
        Trouble kind =
            Trouble.values()[faults.met == 0 ? random.nextInt(2) : 2 + random.nextInt(3)];
        grid = faults.step(grid, part, kind, 1 + random.nextInt(supersteps / FAULTS / 2));
      }
      Object expected = expected(program, type, extent, grid.steps());
      if (CellChange.largest(grid.read("u"), expected) != 0) {
        throw new IllegalStateException(
            "%s, %s, %s cells, %d steps per exchange: wrong cells after %d steps"
                .formatted(program, type, extent, steps, grid.steps()));
      }
    }
    return faults.met;
  }

  static double first(long... at) {
    long folded = 0;
    for (long each : at) {
      folded = 31 * folded + each;
    }
    return Math.floorMod((folded * 0x9E3779B97F4A7C15L) >> 20, 1024) / 1024.0;
  }

  /** Returns heat along so many axes. */
  static StencilProgram heat(int dimensions, Boundary boundary) {
    return ProgramText.parse(HEAT.get(dimensions - 1)).withBoundary(boundary);
  }

  /** Returns the cells of a grid with so many axes. */
  static Extent extent(int dimensions) {
    return EXTENTS.get(dimensions - 1);
  }

  static Object expected(StencilProgram program, ElementType type, Extent extent, long n) {
    Object cells = type.newArray(extent.cells());
    for (int i = 0; i < extent.cells(); i++) {
      long[] at = new long[extent.dimensions()];
      for (int axis = at.length - 1, rest = i; axis >= 0; axis--) {
        at[axis] = rest % extent.size(axis);
        rest /= extent.size(axis);
      }
      if (cells instanceof float[] floats) {
        floats[i] = (float) first(at);
      } else {
        ((double[]) cells)[i] = first(at);
      }
    }
    ParameterValues values = ParameterValues.of(program, Map.of("a", COEFFICIENT));
    CpuProgram.compile(program, Map.of())
        .run(new ProgramArrays(type, extent, List.of(cells)), values, (int) n, 1);
    return cells;
  }

  /** The coefficient of heat, which cannot be had for one step. */
  private static final class Coefficients implements GridParameters {
    private static final long serialVersionUID = 1L;

    @Override
    public double value(int parameter, long step) {
      if (BAD_STEP.get() == step) {
        throw new IllegalStateException("no parameters for step " + step);
      }
      return COEFFICIENT;
    }
  }

  /** Lets one fault happen, and has the steps taken again where it ends them. */
  private static final class Faults implements GridListener {
    private static final String WHY = "on purpose";

    private final SparkSession spark;
    private volatile Trouble kind;
    private Thread canceller = new Thread();
    private long at;
    private int met;

    Faults(SparkSession spark) {
      this.spark = spark;
    }

    StencilGrid step(StencilGrid grid, long steps, Trouble with, int superstep)
        throws InterruptedException {
      int failuresBefore = HoldingEngine.failures();
      begin(grid, with, superstep);
      StencilGrid after;
      try {
        after = grid.step(steps);
        met += HoldingEngine.failures() > failuresBefore ? 1 : 0;
      } catch (Exception failure) {
        met++;
        end();
        after = grid.step(steps);
      }
      end();
      return after;
    }

    private void begin(StencilGrid grid, Trouble with, int superstep) {
      kind = with;
      at = (long) superstep * grid.stepsPerExchange();
      switch (with) {
        case DEVICE_LOST -> HoldingEngine.failAfter(superstep, () -> new DeviceLostException(WHY));
        case OUT_OF_MEMORY ->
            HoldingEngine.failAfter(superstep, () -> new DeviceOutOfMemoryException(WHY));
        case FUNCTION -> BAD_STEP.set(grid.steps() + at);
        case CANCELLED -> {
          canceller = new Thread(() -> cancel(superstep % MOST_MILLIS), "soak-cancel");
          canceller.start();
        }
        case LISTENER -> {} // see progressed
      }
    }

    /** Cancels what runs after some milliseconds, until something has been cancelled. */
    private void cancel(int millis) {
      try {
        for (int waited = 0; kind == Trouble.CANCELLED; waited++) {
          Thread.sleep(1);
          if (waited >= millis) {
            spark.sparkContext().cancelAllJobs();
          }
        }
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
    }

    /** What comes next must not be cancelled. */
    private void end() throws InterruptedException {
      kind = null;
      canceller.join();
      BAD_STEP.set(-1);
      HoldingEngine.failAfter(0, null);
    }

    @Override
    public void progressed(GridProgress progress) {
      if (kind == Trouble.LISTENER && progress.done() >= at) {
        throw new IllegalStateException(WHY);
      }
    }
  }
}
