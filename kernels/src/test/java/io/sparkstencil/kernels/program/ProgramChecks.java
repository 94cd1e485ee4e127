/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.error.UnsupportedStencilException;
import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.kernels.codegen.program.fused.FusedKernels;
import io.sparkstencil.kernels.program.source.FusedSource;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.testkit.programs.BlockRun;
import io.sparkstencil.testkit.programs.ProgramConformance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Compares programs on a GPU with the CPU, bit for bit. */
final class ProgramChecks {
  /** Programs of all dimensions, with one and several fields and stages. */
  static final List<String> PROGRAMS =
      List.of(
          "u' = 0.3*u[-1] + 0.4*u + 0.3*u[1]",
          "u' = u[-2] - 4*u[-1] + 7*u - 4*u[1] + u[2] + 1e-3*x",
          "u' = u + a*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)",
          "u' = 0.1*u[-1,-1] + 0.2*u[0,1] + 0.3*u[1,-1] + 0.2*u[-1,1] + 0.2*u[1,1]",
          "u' = u - 0.01*laplacian(u, 6) + 1e-6*x*u[0,0]",
          "u' = u + (0.16*laplacian(u) - u*v*v + 0.035*(1 - u)); v' = v[0,0] + (0.08*laplacian(v) +"
              + " u*v*v - 0.1*v)",
          "p' = p - 0.3*(q[1,0] - q + r[0,1] - r); q' = q - 0.3*(p' - p'[-1,0]); r' = r - 0.3*(p' -"
              + " p'[0,-1])",
          "p' = u; u' = 2*u - p + c*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)",
          "u' = u[0,-3] - u[-1,0]",
          "u' = u + a*(u[-1,0,0] + u[1,0,0] + u[0,-1,0] + u[0,1,0] + u[0,0,-1] + u[0,0,1] - 6*u)",
          "p' = u[0,0,0]; u' = 2*u - p + c*laplacian(u, 4)");

  static final List<String> BOUNDARIES =
      List.of("reflect", "constant:0.5", "wrap", "x=wrap", "x.low=mirror, x.high=constant:-1");

  /** Every step is taken by itself. */
  static final FusedSource NEVER = (traits, type, layout, device) -> FusedSource.Kernels.NONE;

  /** Kernels of several steps are taken wherever they can be. */
  static final FusedSource ALWAYS =
      (traits, type, layout, device) ->
          new FusedSource.Kernels(
              Optional.empty(), FusedKernels.candidates(traits, type, layout, device), List.of());

  private ProgramChecks() {}

  static GpuPrograms open(Map<String, String> options, FusedSource source) {
    return open(CudaDriver.get(), options, source);
  }

  static GpuPrograms open(CudaDriver driver, Map<String, String> options, FusedSource source) {
    GpuPrograms engine = GpuPrograms.open(driver, driver.devices().get(0), options, source);
    engine.device().poison();
    return engine;
  }

  /** Runs programs at random, some threads with a seed each. */
  static void random(GpuPrograms engine, long firstSeed, int threads, int cases) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        long seed = firstSeed + i;
        running.add(
            pool.submit(
                () ->
                    ProgramConformance.requireReferenceResults(
                        (program, arrays, parameters, steps) ->
                            engine.compile(program).run(arrays, parameters, steps, 1),
                        seed,
                        cases)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause();
    } finally {
      pool.shutdownNow();
    }
  }

  /**
   * Runs a program in blocks; two of three are held by the engine, the others are on the heap.
   *
   * @param seed of how the grid is cut, of the steps between exchanges, and of the holders
   */
  static void runInBlocks(
      GpuPrograms engine,
      StencilProgram program,
      ProgramArrays arrays,
      ParameterValues parameters,
      int steps,
      long seed) {
    CpuProgram onHeap = CpuProgram.compile(program, Map.of());
    BlockRun.run(
        program,
        arrays,
        parameters,
        steps,
        seed,
        (plan, block, random) ->
            random.nextInt(3) == 0
                ? new BlockArrays(arrays.type(), plan.extended(block), program.fields().size())
                : held(engine, program, arrays.type(), plan.extended(block)),
        (cells, values, n) -> onHeap.run(cells, values, n, 1));
  }

  /**
   * Returns a block on the device; or one on the heap where positions go more than once around a
   * short periodic axis, which devices refuse.
   */
  private static BlockFields held(
      GpuPrograms engine, StencilProgram program, ElementType type, ExtendedBlock place) {
    try {
      return engine.hold(program, type, place, false).orElseThrow();
    } catch (UnsupportedStencilException e) {
      assertThat(e).hasMessageContaining("once around");
      return new BlockArrays(type, place, program.fields().size());
    }
  }

  /** Returns extents for a program: long and short along each axis, and none a round number. */
  static List<Extent> extents(int dimensions, int scale) {
    return switch (dimensions) {
      case 1 -> List.of(Extent.of(100_003 * scale), Extent.of(4096 * scale));
      case 2 -> List.of(Extent.of(257 * scale, 331 * scale), Extent.of(90, 1031 * scale));
      default -> List.of(Extent.of(67 * scale, 45, 83 * scale), Extent.of(40, 64 * scale, 96));
    };
  }

  /** Returns what differs, or nothing. */
  static List<String> check(
      GpuPrograms engine,
      String text,
      String boundary,
      Accuracy accuracy,
      ElementType type,
      Extent extent,
      int steps) {
    StencilProgram program =
        BoundaryText.apply(ProgramText.parse(text), boundary).withAccuracy(accuracy);
    ParameterValues parameters = (parameter, step) -> 0.1 + 0.01 * (step % 7);
    ProgramArrays expected = arrays(program, type, extent, 5);
    ProgramArrays actual = arrays(program, type, extent, 5);
    CpuProgram.compile(program, Map.of()).run(expected, parameters, steps, 4);
    List<String> wrong = new ArrayList<>();
    try {
      engine.compile(program).run(actual, parameters, steps, 3);
    } catch (RuntimeException e) {
      wrong.add("%s, %s, %s: %s".formatted(text, boundary, extent.sizes(), e));
      return wrong;
    }
    for (int field = 0; field < program.fields().size(); field++) {
      int cell = mismatch(expected.arrays().get(field), actual.arrays().get(field));
      if (cell >= 0) {
        wrong.add(
            "%s, %s, %s, %s, extent %s, %d steps: %s differs in cell %d"
                .formatted(
                    text,
                    boundary,
                    accuracy,
                    type,
                    extent.sizes(),
                    steps,
                    program.fields().get(field),
                    cell));
      }
    }
    return wrong;
  }

  static ProgramArrays arrays(StencilProgram program, ElementType type, Extent extent, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Object> arrays = new ArrayList<>();
    for (int field = 0; field < program.fields().size(); field++) {
      int cells = extent.cells();
      Object array = type.newArray(cells);
      for (int i = 0; i < cells; i++) {
        if (array instanceof float[] floats) {
          floats[i] = (float) random.nextDouble();
        } else {
          ((double[]) array)[i] = random.nextDouble();
        }
      }
      arrays.add(array);
    }
    return new ProgramArrays(type, extent, arrays);
  }

  static int mismatch(Object expected, Object actual) {
    return expected instanceof float[] floats
        ? Arrays.mismatch(floats, (float[]) actual)
        : Arrays.mismatch((double[]) expected, (double[]) actual);
  }
}
