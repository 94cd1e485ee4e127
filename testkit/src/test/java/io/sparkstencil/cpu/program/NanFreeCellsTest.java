/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import static io.sparkstencil.program.Expression.constant;
import static io.sparkstencil.program.Expression.select;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.CpuOptions;
import io.sparkstencil.cpu.program.Instruction.Opcode;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.Focal;
import io.sparkstencil.program.generate.Terrain;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.reference.ProgramReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps over cells without NaN ask for none, and have the bits of the reference all the same. */
final class NanFreeCellsTest {
  private static final List<Boundary> BOUNDARIES =
      List.of(
          Boundary.REFLECT,
          Boundary.MIRROR,
          Boundary.NEAREST,
          Boundary.WRAP,
          Boundary.constant(-0.0),
          Boundary.constant(Double.NaN));

  /** What is computed over two axes. */
  enum Summary {
    MEAN(u -> Focal.mean(u, 1)),
    SUM(u -> Focal.sum(u, 2)),
    DEVIATION(u -> Focal.deviation(u, 1)),
    LEAST(u -> Focal.least(u, 2)),
    GREATEST(u -> Focal.greatest(u, 1)),
    GAUSSIAN(u -> Focal.gaussian(u, 0.5)),
    MEDIAN_OF_9(u -> Focal.median(u, 1)),
    MEDIAN_OF_25(u -> Focal.median(u, 2)),
    SLOPE(u -> Terrain.slope(u, 30, 20)),
    ASPECT(u -> Terrain.aspect(u, 30, 20)),
    HILLSHADE(u -> Terrain.hillshade(u, 30, 20, 315, 45));

    private final Function<Field, Expression> value;

    Summary(Function<Field, Expression> value) {
      this.value = value;
    }

    StencilProgram program() {
      return StencilProgram.of(
          2,
          builder -> {
            Field u = builder.field("u");
            builder.update(u, value.apply(u));
          });
    }
  }

  /** What is computed of two cells that are not NaN, and of a parameter that is. */
  enum Computed {
    SUM((u, v, a) -> select(u.plus(v).equalTo(u.plus(v)), u, v)),
    PRODUCT((u, v, a) -> select(u.times(v).equalTo(u.times(v)), u, v)),
    PARAMETER((u, v, a) -> select(a.equalTo(a), u, v)),
    GREATER_OF_ROOT((u, v, a) -> u.max(v.sqrt())),
    LESSER_OF_QUOTIENT((u, v, a) -> u.over(v).min(v)),
    GREATER_OF_GREATER((u, v, a) -> u.max(u.minus(v).max(v))),
    GREATER_OF_LESSER((u, v, a) -> v.max(u.minus(v).min(u))),
    GREATER_OF_FIRST_CHOICE((u, v, a) -> v.max(select(u.lessThan(v), u.minus(v), u))),
    GREATER_OF_OTHER_CHOICE((u, v, a) -> v.max(select(u.lessThan(v), u, u.minus(v)))),
    GREATER_OF_SIZE((u, v, a) -> v.max(u.times(v).plus(u).negated().abs())),
    /** Three terms that floats round twice. */
    WHOLE_NUMBERS(
        (u, v, a) ->
            select(u.equalTo(u), constant(1 << 24), constant(0))
                .plus(select(v.equalTo(v), constant(1), constant(0)))
                .plus(select(u.equalTo(u), constant(1), constant(0)))),
    /** Both are infinite as floats. */
    LARGE_NUMBERS((u, v, a) -> select(constant(1e300).equalTo(constant(1e301)), u, v)),
    PRODUCT_AND_CELL((u, v, a) -> u.times(v).plus(u)),
    PRODUCT_TWICE((u, v, a) -> u.times(v).plus(v).minus(u.times(v)));

    /** A number of three. */
    private interface Value {
      Expression of(Expression u, Expression v, Expression a);
    }

    private final Value value;

    Computed(Value value) {
      this.value = value;
    }

    StencilProgram program() {
      return StencilProgram.of(
          1,
          builder -> {
            Field u = builder.field("u");
            builder.update(u, value.of(u.here(), u.at(1), builder.parameter("a")));
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsComputedMayBeNan(Computed computed) {
    Random random = new Random(computed.ordinal());
    for (int size : new int[] {2, 17, 1000}) {
      for (int i = 0; i < 20; i++) {
        requireBits(computed.program(), cells(Extent.of(size), 0, random), Extent.of(size));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void bitsAreThoseOfTheReference(Summary summary) {
    Random random = new Random(summary.ordinal());
    for (Extent extent : extents()) {
      for (int nans : new int[] {0, 1, extent.cells()}) {
        Boundary boundary = BOUNDARIES.get(random.nextInt(BOUNDARIES.size()));
        requireBits(summary.program().withBoundary(boundary), cells(extent, nans, random), extent);
      }
    }
  }

  /** One of all sizes to 20 along each axis, and a larger one. */
  private static List<Extent> extents() {
    List<Extent> extents = new ArrayList<>();
    for (int size = 1; size <= 20; size++) {
      extents.add(Extent.of(size, size));
      extents.add(Extent.of(size, 21 - size));
    }
    extents.add(Extent.of(30, 700));
    return extents;
  }

  /** Many cells are equal, both zeros and infinities are among them, and at most so many NaN. */
  private static double[] cells(Extent extent, int nans, Random random) {
    double[] few = {0, -0.0, 1, -1, 0.1, 3e7, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    double[] cells = new double[extent.cells()];
    int finite = 1 + random.nextInt(few.length);
    for (int i = 0; i < cells.length; i++) {
      cells[i] = random.nextBoolean() ? few[random.nextInt(finite)] : random.nextGaussian();
    }
    for (int i = 0; i < nans; i++) {
      cells[random.nextInt(cells.length)] = Double.NaN;
    }
    return cells;
  }

  private static void requireBits(StencilProgram program, double[] cells, Extent extent) {
    ParameterValues parameters = (parameter, step) -> Double.NaN;
    for (Accuracy accuracy : List.of(Accuracy.EXACT, Accuracy.FMA)) {
      StencilProgram rounded = program.withAccuracy(accuracy);
      for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
        Object expected = copy(cells, type);
        ProgramReference.run(rounded, arrays(type, extent, expected), parameters, 1);
        for (String vectors : List.of("true", "false")) {
          Object actual = copy(cells, type);
          CpuProgram.compile(rounded, Map.of(CpuOptions.VECTORS.key(), vectors))
              .run(arrays(type, extent, actual), parameters, 1, 1);
          assertThat(actual)
              .as("%s, %s, %s, vectors %s", extent, program.boundaries(), accuracy, vectors)
              .isEqualTo(expected);
        }
      }
    }
  }

  private static ProgramArrays arrays(ElementType type, Extent extent, Object cells) {
    return new ProgramArrays(type, extent, List.of(cells));
  }

  private static Object copy(double[] cells, ElementType type) {
    if (type == ElementType.F64) {
      return cells.clone();
    }
    float[] floats = new float[cells.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) cells[i];
    }
    return floats;
  }

  private static List<Opcode> nanFree(StencilProgram program) {
    return ProgramCompiler.compileNanFree(program).stages().stream()
        .flatMap(List::stream)
        .map(Instruction::kind)
        .distinct()
        .sorted()
        .toList();
  }

  @Test
  void nothingIsComputedForMissingCells() {
    assertThat(nanFree(Summary.MEAN.program())).containsExactly(Opcode.SUM, Opcode.DIVIDE);
    assertThat(nanFree(Summary.MEDIAN_OF_25.program()))
        .containsExactly(Opcode.MIN_OF_NUMBERS, Opcode.MAX_OF_NUMBERS);
  }

  /** What a step has computed may be NaN though no cell was before it: 0/0. */
  @Test
  void cellsOfTheSameStepMayBeNan() {
    StencilProgram program = ProgramText.parse("u' = u/u[0]; v' = min(u', v)");
    assertThat(nanFree(program)).containsExactly(Opcode.DIVIDE, Opcode.MIN);
    double[] u = {0, 0};
    double[] v = {1, 2};
    CpuProgram.compile(program, Map.of())
        .run(
            new ProgramArrays(ElementType.F64, Extent.of(2), List.of(u, v)),
            ParameterValues.NONE,
            1,
            1);
    assertThat(u).containsExactly(Double.NaN, Double.NaN);
    assertThat(v).containsExactly(1, 2);
  }

  /** After the first step of several, cells may be NaN. */
  @Test
  void cellsOfLaterStepsMayBeNan() {
    double[] cells = {0, 1, 2};
    double[] expected = cells.clone();
    StencilProgram program = ProgramText.parse("u' = max(u[-1]/u[1], u)");
    Extent extent = Extent.of(3);
    ProgramReference.run(
        program, arrays(ElementType.F64, extent, expected), ParameterValues.NONE, 3);
    CpuProgram.compile(program, Map.of())
        .run(arrays(ElementType.F64, extent, cells), ParameterValues.NONE, 3, 1);
    assertThat(cells).isEqualTo(expected);
  }
}
