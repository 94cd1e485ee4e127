/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.cpu.CpuOptions;
import io.sparkstencil.cpu.PassKind;
import io.sparkstencil.error.AwaitedFailure;
import io.sparkstencil.error.Cancellation;
import io.sparkstencil.error.CancelledException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.Placement;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * A program that runs on the CPU. Results have the bits of {@link
 * io.sparkstencil.reference.ProgramReference}; under the accuracy fast they are those of fma. A
 * compiled program can run in several threads at once.
 */
public final class CpuProgram {
  /**
   * The cells, once per step, from which the Vector API is used unless it is asked for. Until the
   * JVM has compiled its code, which it does not for the sake of a few small fields, it is a
   * hundred times slower than plain loops; for less than this, the loops lose some microseconds at
   * most.
   */
  private static final long VECTORS_FROM = 1 << 14;

  private final StencilProgram program;
  private final ProgramCode code;
  private final boolean vectors;
  private final long vectorsFrom;
  private volatile ProgramCode nanFreeCode; // null until a run could use it

  private CpuProgram(StencilProgram program, boolean vectors, long vectorsFrom) {
    this.program = program;
    code = ProgramCompiler.compile(program);
    this.vectors = vectors;
    this.vectorsFrom = vectorsFrom;
  }

  /**
   * Compiles a program for any extent and type of cells.
   *
   * @param options those of the CPU engine, see {@link io.sparkstencil.cpu.CpuOptions}
   */
  public static CpuProgram compile(StencilProgram program, Map<String, String> options) {
    boolean always = CpuOptions.VECTORS.read(options).equals("true");
    return new CpuProgram(program, PassKind.vectors(options), always ? 0 : VECTORS_FROM);
  }

  /**
   * Runs a number of steps and replaces the cells of the updated fields.
   *
   * @param arrays the cells of all fields
   * @param parameters the values of the parameters in each step
   * @param steps the number of steps, at least 0
   * @param threads the most threads to use, at least 1; this thread waits for them
   * @throws io.sparkstencil.error.CancelledException if this thread is interrupted; the cells of
   *     updated fields are anything then
   */
  public void run(ProgramArrays arrays, ParameterValues parameters, int steps, int threads) {
    arrays.requireFieldsOf(program);
    if (steps < 0) {
      throw new InvalidStencilException("%d steps; use at least 0".formatted(steps));
    }
    if (threads < 1) {
      throw new InvalidStencilException("%d threads; use at least 1".formatted(threads));
    }
    if (steps > 0) {
      run(
          arrays,
          parameters,
          steps,
          threads,
          (chosen, geometry) -> tiling(chosen, geometry, arrays.type(), steps, threads));
    }
  }

  /** Returns the tiling that a run takes, unless it is one step over cells without NaN. */
  Tiling tiling(ElementType type, Extent extent, int steps, int threads) {
    return tiling(code, new Geometry(code.traits(), extent), type, steps, threads);
  }

  private static Tiling tiling(
      ProgramCode code, Geometry geometry, ElementType type, int steps, int threads) {
    return Tiling.choose(
        geometry, code.bytesPerCell(type), code.bytesPerStep(type), steps, threads);
  }

  /** Runs with a tiling of the caller's choice, of which results do not depend. */
  void run(
      ProgramArrays arrays, ParameterValues parameters, int steps, int threads, Tiling tiling) {
    run(arrays, parameters, steps, threads, (chosen, geometry) -> tiling);
  }

  private void run(
      ProgramArrays arrays,
      ParameterValues parameters,
      int steps,
      int threads,
      BiFunction<ProgramCode, Geometry, Tiling> tiling) {
    ProgramCode chosen = code(arrays, steps, threads);
    Geometry geometry = new Geometry(chosen.traits(), arrays.extent());
    Tiling tiles = tiling.apply(chosen, geometry);
    new TiledRun(chosen, arrays, parameters, steps, threads, geometry, tiles).run();
  }

  /**
   * Returns the code for some cells. Those of later steps are not known, and one thread that looks
   * at all cells would keep others waiting.
   */
  private ProgramCode code(ProgramArrays arrays, int steps, int threads) {
    if (steps > 1 || threads > 1) {
      return code;
    }
    ProgramCode nanFree = nanFreeCode();
    return nanFree == code || hasNan(arrays) ? code : nanFree;
  }

  /**
   * Returns the code for a step over cells of which none is NaN: the same where that is no help.
   */
  private ProgramCode nanFreeCode() {
    ProgramCode known = nanFreeCode;
    if (known == null) {
      ProgramCode compiled = ProgramCompiler.compileNanFree(program);
      known = compiled.stages().equals(code.stages()) ? code : compiled;
      nanFreeCode = known; // threads that meet here have compiled the same
    }
    return known;
  }

  private boolean hasNan(ProgramArrays arrays) {
    return arrays.arrays().stream().anyMatch(CpuProgram::hasNan)
        || program.boundaries().stream()
            .flatMap(each -> Stream.concat(each.low().stream(), each.high().stream()))
            .anyMatch(side -> Double.isNaN(side.constant()));
  }

  private static boolean hasNan(Object cells) {
    return cells instanceof float[] floats ? hasNan(floats) : hasNan((double[]) cells);
  }

  private static boolean hasNan(float[] cells) {
    for (float cell : cells) {
      if (Float.isNaN(cell)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasNan(double[] cells) {
    for (double cell : cells) {
      if (Double.isNaN(cell)) {
        return true;
      }
    }
    return false;
  }

  /** One call of {@link CpuProgram#run}. */
  private final class TiledRun {
    private final ProgramCode code;
    private final ElementType type;
    private final ParameterValues parameters;
    private final int steps;
    private final int threads;
    private final Geometry geometry;
    private final Tiling tiling;
    private final List<TileBox> boxes;
    private final Placement placement;
    private final List<Object> result;
    private final Cancellation cancellation = Cancellation.ofThread();
    private List<Object> current;
    private List<Object> other;

    TiledRun(
        ProgramCode code,
        ProgramArrays arrays,
        ParameterValues parameters,
        int steps,
        int threads,
        Geometry geometry,
        Tiling tiling) {
      this.code = code;
      type = arrays.type();
      this.parameters = parameters;
      this.steps = steps;
      this.geometry = geometry;
      this.tiling = tiling;
      boxes = tiling.tiles(geometry);
      this.threads = Math.min(threads, boxes.size());
      placement = arrays.placement();
      result = arrays.arrays();
      current = result;
      other = new ArrayList<>(result);
      // a single tile that has loaded all cells can replace them
      boolean inPlace = boxes.size() == 1 && tiling.isStill();
      for (int field = 0; field < program.updates().size() && !inPlace; field++) {
        other.set(field, type.newArray(arrays.extent().cells()));
      }
    }

    void run() {
      List<Tile> tiles = new ArrayList<>();
      boolean large = (double) steps * geometry.cells() >= vectorsFrom;
      for (int i = 0; i < threads; i++) {
        Chunks chunks = Chunks.of(type, vectors && large);
        tiles.add(new Tile(code, geometry, type, chunks, placement, maxCells(), cancellation));
      }
      // this thread works, too
      ExecutorService pool = threads > 1 ? Executors.newFixedThreadPool(threads - 1) : null;
      try {
        for (long step = 0; step < steps; step += tiling.steps()) {
          pass(tiles, pool, scalars((int) step));
          List<Object> before = current;
          current = other;
          other = before;
        }
      } finally {
        if (pool != null) {
          end(pool);
        }
      }
      for (int field = 0; field < program.updates().size(); field++) {
        if (current.get(field) != result.get(field)) {
          Object to = result.get(field);
          System.arraycopy(current.get(field), 0, to, 0, java.lang.reflect.Array.getLength(to));
        }
      }
    }

    private int maxCells() {
      return (int) boxes.stream().mapToLong(this::cellsHeld).max().orElseThrow();
    }

    private long cellsHeld(TileBox results) {
      TileBox loaded = geometry.loaded(results, tiling.steps());
      return (long) tiling.depth(geometry, results, tiling.steps())
          * loaded.stride(geometry.slowest());
    }

    private double[][] scalars(int first) {
      double[][] scalars = new double[Math.min(tiling.steps(), steps - first)][];
      for (int i = 0; i < scalars.length; i++) {
        scalars[i] = code.scalarValues(parameters, first + i, type == ElementType.F32);
        if (i > 0 && Arrays.equals(scalars[i], scalars[i - 1])) {
          scalars[i] = scalars[i - 1]; // tiles take the same array for the same values
        }
      }
      return scalars;
    }

    private void pass(List<Tile> tiles, ExecutorService pool, double[][] scalars) {
      AtomicInteger next = new AtomicInteger();
      List<Future<?>> running = new ArrayList<>();
      for (Tile tile : tiles.subList(1, tiles.size())) {
        running.add(pool.submit(() -> pass(tile, next, scalars)));
      }
      pass(tiles.get(0), next, scalars);
      running.forEach(TiledRun::await);
    }

    private void pass(Tile tile, AtomicInteger next, double[][] scalars) {
      for (int i = next.getAndIncrement(); i < boxes.size(); i = next.getAndIncrement()) {
        tile.run(boxes.get(i), tiling, current, scalars, other);
      }
    }

    /** Ends the other threads, which may still write cells after this one has failed. */
    private static void end(ExecutorService pool) {
      pool.shutdownNow();
      boolean interrupted = false;
      for (boolean ended = false; !ended; ) {
        try {
          ended = pool.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    private static void await(Future<?> work) {
      try {
        Cancellation.await(work::get);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancelledException("interrupted while a program runs");
      } catch (ExecutionException e) {
        throw AwaitedFailure.of(e);
      }
    }
  }
}
