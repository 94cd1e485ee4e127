/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cpu.CpuOptions;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.reference.ProgramReference;
import io.sparkstencil.testkit.programs.ProgramConformance;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The CPU has the bits of the reference, whatever tiles it makes. */
final class CpuProgramConformanceTest {
  private static final int CASES = 600;

  private static Map<String, String> vectors(String choice) {
    return Map.of(CpuOptions.VECTORS.key(), choice);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void randomProgramsHaveTheBitsOfTheReference(String vectors) {
    Random threads = new Random(3);
    ProgramConformance.requireReferenceResults(
        (program, arrays, parameters, steps) ->
            CpuProgram.compile(program, vectors(vectors))
                .run(arrays, parameters, steps, 1 + threads.nextInt(3)),
        21,
        CASES);
  }

  @Test
  void resultsDoNotDependOnTiles() {
    Random random = new Random(5);
    ProgramConformance.requireReferenceResults(
        (program, arrays, parameters, steps) ->
            CpuProgram.compile(program, vectors("true"))
                .run(
                    arrays,
                    parameters,
                    steps,
                    1 + random.nextInt(2),
                    anyTiling(program, arrays.extent(), steps, random)),
        22,
        CASES);
  }

  /** Returns tiles of random sizes, as small as a program allows, that move at any speed. */
  private static Tiling anyTiling(StencilProgram program, Extent extent, int steps, Random random) {
    Geometry geometry = new Geometry(ProgramTraits.of(program), extent);
    int[] size = new int[TileBox.AXES];
    for (int axis = 0; axis < size.length; axis++) {
      int domain = geometry.domain(axis);
      int least = Math.max(1, geometry.shrink(axis));
      size[axis] =
          geometry.whole(axis) || random.nextInt(4) == 0
              ? domain
              : Math.min(domain, least + random.nextInt(domain));
    }
    int slowest = geometry.slowest();
    boolean still = geometry.whole(slowest) || random.nextInt(4) == 0;
    return new Tiling(
        size,
        1 + random.nextInt(Math.max(1, steps)),
        still ? Integer.MAX_VALUE : 1 + random.nextInt(geometry.domain(slowest)));
  }

  /** They are made of operations that no compiler may reorder. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sin(u) + 2*cos(u)",
        "exp(u)",
        "log(u)",
        "tanh(u)",
        "atan2(u, u[1] - 1)",
        "focal_median(u, 4)",
        "focal_stddev(u, 2)",
        "focal_gaussian(u, 1)"
      })
  void functionsHaveTheBitsOfTheReference(String text) {
    for (Accuracy accuracy : List.of(Accuracy.EXACT, Accuracy.FMA)) {
      StencilProgram program = ProgramText.parse(text, 1).withAccuracy(accuracy);
      for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
        Object expected = cellsOfAllSizes(type);
        ProgramReference.run(
            program,
            new ProgramArrays(type, Extent.of(2000), List.of(expected)),
            ParameterValues.NONE,
            1);
        for (String vectors : List.of("true", "false")) {
          Object actual = cellsOfAllSizes(type);
          CpuProgram.compile(program, vectors(vectors))
              .run(
                  new ProgramArrays(type, Extent.of(2000), List.of(actual)),
                  ParameterValues.NONE,
                  1,
                  2);
          assertThat(actual).as("%s, %s, vectors %s", accuracy, type, vectors).isEqualTo(expected);
        }
      }
    }
  }

  private static Object cellsOfAllSizes(ElementType type) {
    Random random = new Random(8);
    double[] cells = new double[2000];
    float[] floats = new float[2000];
    for (int i = 0; i < cells.length; i++) {
      double size = Math.scalb(random.nextDouble(), random.nextInt(40) - 20);
      cells[i] =
          i % 50 == 0
              ? Double.NaN
              : i % 61 == 0 ? Double.POSITIVE_INFINITY : i % 3 == 0 ? -size : size;
      floats[i] = (float) cells[i];
    }
    return type == ElementType.F32 ? floats : cells;
  }

  /** Fields too large for one tile take the tiles and time steps that the engine chooses itself. */
  @ParameterizedTest
  @ValueSource(strings = {"reflect", "wrap"})
  void largeFieldsAreCutIntoTiles(String boundary) {
    StencilProgram program =
        ProgramText.parse("u' = u + a*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u) - x*y*1e-9")
            .withBoundary(Boundary.parse(boundary));
    Extent extent = Extent.of(500, 600);
    int steps = 5;
    double[] expected = new Random(1).doubles(extent.cells()).toArray();
    double[] actual = expected.clone();
    ParameterValues values = (parameter, step) -> 0.1 + 0.01 * step;
    CpuProgram compiled = CpuProgram.compile(program, Map.of());
    assertThat(compiled.tiling(ElementType.F64, extent, steps, 2).tiles(extentOf(program, extent)))
        .hasSizeGreaterThan(1);
    ProgramReference.run(
        program, new ProgramArrays(ElementType.F64, extent, List.of(expected)), values, steps);
    compiled.run(new ProgramArrays(ElementType.F64, extent, List.of(actual)), values, steps, 2);
    assertThat(actual).isEqualTo(expected);
  }

  private static Geometry extentOf(StencilProgram program, Extent extent) {
    return new Geometry(ProgramTraits.of(program), extent);
  }

  @Test
  void noStepsLeaveTheCellsAlone() {
    double[] cells = {1, 2, 3};
    run("u[-1]", cells, 0, 1);
    assertThat(cells).containsExactly(1, 2, 3);
  }

  /** Sums of numbers of steps near the largest number leave the type int. */
  @Test
  void passesHaveStepsForAnyNumberOfSteps() {
    CpuProgram moves = CpuProgram.compile(ProgramText.parse("u[-1]"), Map.of());
    for (int steps : new int[] {(1 << 30) + 1, Integer.MAX_VALUE}) {
      Tiling tiling = moves.tiling(ElementType.F64, Extent.of(5_000), steps, 1);
      assertThat(tiling.steps()).isBetween(1, 1_000);
    }
  }

  @Test
  void badCallsAreRefused() {
    assertThatThrownBy(() -> run("u[-1]", new double[3], -1, 1))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("-1 steps");
    assertThatThrownBy(() -> run("u[-1]", new double[3], 1, 0))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("0 threads");
    assertThatThrownBy(() -> run("u' = u[-1] + c[0]", new double[3], 1, 1))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("give one array per field");
    assertThatThrownBy(() -> run("u[-1,0]", new double[3], 1, 1))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("axes");
  }

  private static void run(String text, double[] cells, int steps, int threads) {
    CpuProgram.compile(ProgramText.parse(text), Map.of())
        .run(
            new ProgramArrays(ElementType.F64, Extent.of(cells.length), List.of(cells)),
            ParameterValues.NONE,
            steps,
            threads);
  }
}
