/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.cpu.PassChoice;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program that runs on the CPU. Results have the bits of {@link
 * io.sparkstencil.reference.ProgramReference}; under the accuracy fast they are those of fma. A
 * compiled program is immutable and can run in several threads at once.
 */
public final class CpuProgram {
  private final StencilProgram program;
  private final ProgramCode code;
  private final boolean vectors;

  private CpuProgram(StencilProgram program, ProgramCode code, boolean vectors) {
    this.program = program;
    this.code = code;
    this.vectors = vectors;
  }

  /**
   * Compiles a program for any extent and type of cells.
   *
   * @param options those of the CPU engine, see {@link io.sparkstencil.cpu.CpuOptions}
   */
  public static CpuProgram compile(StencilProgram program, Map<String, String> options) {
    return new CpuProgram(
        program, ProgramCompiler.compile(program), PassChoice.of(options).vectors());
  }

  /**
   * Runs a number of steps and replaces the cells of the updated fields.
   *
   * @param arrays the cells of all fields
   * @param parameters the values of the parameters in each step
   * @param steps the number of steps, at least 0
   * @param threads the most threads to use, at least 1; this thread waits for them
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
      Tiling tiling = tiling(arrays.type(), arrays.extent(), steps, threads);
      run(arrays, parameters, steps, threads, tiling);
    }
  }

  /** Returns the tiling that a run takes. */
  Tiling tiling(ElementType type, Extent extent, int steps, int threads) {
    Geometry geometry = new Geometry(code.traits(), extent);
    return Tiling.choose(
        geometry, code.bytesPerCell(type), code.bytesPerStep(type), steps, threads);
  }

  /** Runs with a tiling of the caller's choice, of which results do not depend. */
  void run(
      ProgramArrays arrays, ParameterValues parameters, int steps, int threads, Tiling tiling) {
    new Run(arrays, parameters, steps, threads, tiling).run();
  }

  /** One call of {@link CpuProgram#run}. */
  private final class Run {
    private final ElementType type;
    private final ParameterValues parameters;
    private final int steps;
    private final int threads;
    private final Geometry geometry;
    private final Tiling tiling;
    private final List<Box> boxes;
    private final List<Object> result;
    private List<Object> current;
    private List<Object> other;

    Run(ProgramArrays arrays, ParameterValues parameters, int steps, int threads, Tiling tiling) {
      type = arrays.type();
      this.parameters = parameters;
      this.steps = steps;
      geometry = new Geometry(code.traits(), arrays.extent());
      this.tiling = tiling;
      boxes = tiling.tiles(geometry);
      this.threads = Math.min(threads, boxes.size());
      result = arrays.arrays();
      current = result;
      other = new ArrayList<>(result);
      // a single tile holds all cells itself: its results can replace them
      for (int field = 0; field < program.updates().size() && boxes.size() > 1; field++) {
        other.set(field, type.newArray(arrays.extent().cells()));
      }
    }

    void run() {
      List<Tile> tiles = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        tiles.add(new Tile(code, geometry, type, Chunks.of(type, vectors), maxCells()));
      }
      ExecutorService pool = threads > 1 ? Executors.newFixedThreadPool(threads) : null;
      try {
        for (int step = 0; step < steps; step += tiling.steps()) {
          pass(tiles, pool, scalars(step));
          List<Object> before = current;
          current = other;
          other = before;
        }
      } finally {
        if (pool != null) {
          pool.shutdownNow();
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
      return (int)
          boxes.stream()
              .mapToLong(box -> geometry.loaded(box, tiling.steps()).cells())
              .max()
              .orElseThrow();
    }

    private double[][] scalars(int first) {
      double[][] scalars = new double[Math.min(tiling.steps(), steps - first)][];
      for (int i = 0; i < scalars.length; i++) {
        scalars[i] = code.scalarValues(parameters, first + i, type == ElementType.F32);
      }
      return scalars;
    }

    private void pass(List<Tile> tiles, ExecutorService pool, double[][] scalars) {
      AtomicInteger next = new AtomicInteger();
      List<Future<?>> running = new ArrayList<>();
      for (Tile tile : tiles) {
        Runnable work =
            () -> {
              for (int i = next.getAndIncrement(); i < boxes.size(); i = next.getAndIncrement()) {
                tile.run(boxes.get(i), current, scalars, other);
              }
            };
        if (pool == null) {
          work.run();
        } else {
          running.add(pool.submit(work));
        }
      }
      running.forEach(Run::await);
    }

    private static void await(Future<?> work) {
      try {
        work.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while a program runs", e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) e.getCause();
      }
    }
  }
}
