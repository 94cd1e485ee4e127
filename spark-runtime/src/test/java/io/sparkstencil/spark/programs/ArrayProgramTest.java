/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.ImageFilters;
import io.sparkstencil.program.text.ProgramText;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ArrayProgramTest {
  private static final StencilProgram HEAT =
      ProgramText.parse("u' = u + a*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)")
          .withBoundary(Boundary.constant(0));

  @Test
  void appliesStepsToNestedArraysAndLeavesThemAlone() {
    double[][] image = {{0, 0, 0}, {0, 16, 0}, {0, 0, 0}};
    ArrayProgram<double[][]> heat = ArrayProgram.of(double[][].class, HEAT, Map.of("a", 0.25));
    assertThat(heat.apply(image)).isDeepEqualTo(new double[][] {{0, 4, 0}, {4, 0, 4}, {0, 4, 0}});
    assertThat(heat.withSteps(2).apply(image))
        .isDeepEqualTo(new double[][] {{2, 0, 2}, {0, 4, 0}, {2, 0, 2}});
    assertThat(image[1][1]).isEqualTo(16);
  }

  @Test
  void runsPassesThroughFieldsOfTheirOwn() {
    float[][][] volume = new float[5][4][3];
    volume[2][2][1] = 27;
    float[][][] mean = ArrayProgram.of(float[][][].class, ImageFilters.mean(1, 1, 1)).apply(volume);
    assertThat(mean[1][1][0]).isEqualTo(1f);
    assertThat(mean[4][1][0]).isZero();
  }

  @Test
  void nullAndEmptyArraysAreReturned() {
    ArrayProgram<float[]> shift = ArrayProgram.of(float[].class, ProgramText.parse("u[-1]"));
    assertThat(shift.apply((float[]) null)).isNull();
    assertThat(shift.apply(new float[0])).isEmpty();
    assertThat(shift.apply(new float[] {1, 2})).containsExactly(1, 1);
  }

  @Test
  void refusesOtherArrays() {
    assertThatThrownBy(() -> ArrayProgram.of(double[].class, HEAT, Map.of("a", 0.1)))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("use float or double arrays with 2 dimensions");
    assertThatThrownBy(() -> ArrayProgram.of(int[][].class, HEAT, Map.of("a", 0.1)))
        .isInstanceOf(InvalidStencilException.class);
    assertThatThrownBy(() -> ArrayProgram.of(double[][].class, HEAT))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("parameter a has no value");
    ArrayProgram<double[][]> heat = ArrayProgram.of(double[][].class, HEAT, Map.of("a", 0.25));
    assertThatThrownBy(() -> heat.withSteps(0)).isInstanceOf(InvalidStencilException.class);
    assertThatThrownBy(() -> heat.apply(new double[][] {{1, 2}, {3}}))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("give all rows the same length");
  }
}
