/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class EquationTest {
  @ParameterizedTest
  @EnumSource(Equation.class)
  void stepsThatAreChosenAreStableAndAllFieldsHaveFirstCells(Equation equation) {
    for (int dimensions = 1; dimensions <= 3; dimensions++) {
      Map<String, Double> constants = equation.constants(dimensions, Map.of("spacing", 0.25));
      VaryingAxes axes = VaryingAxes.all(dimensions);
      double good = equation.goodStep(axes, constants);
      double largest = equation.largestStep(axes, constants);

      assertThat(good).isPositive().isLessThan(largest);
      assertThat(equation.program(axes, constants, good).fields())
          .containsExactlyInAnyOrderElementsOf(equation.fields(dimensions).keySet())
          .contains(equation.shown());
      assertThatThrownBy(() -> equation.program(axes, constants, 1.01 * largest))
          .isInstanceOf(InvalidStencilException.class)
          .hasMessageContaining("use at most " + largest);
    }
  }

  @ParameterizedTest
  @EnumSource(Equation.class)
  void isFoundByItsNameInAnyCase(Equation equation) {
    assertThat(Equation.named(equation.label().toUpperCase(Locale.ROOT))).isEqualTo(equation);
  }

  @Test
  void velocitiesAreConstantsOfEachAxis() {
    Map<String, Double> constants = Equation.ADVECTION.constants(3, Map.of("vy", -2.0));

    assertThat(constants).containsEntry("vx", 1.0).containsEntry("vy", -2.0);
    assertThat(Equation.ADVECTION.largestStep(VaryingAxes.all(3), constants)).isEqualTo(1 / 3.25);
  }

  @ParameterizedTest
  @EnumSource(Equation.class)
  void anAxisOfOneCellDoesNotLimitTheTimeStep(Equation equation) {
    List<Long> thin = List.of(20L, 1L);
    Map<String, Double> constants = equation.constants(2, Map.of());
    StencilProgram any =
        BoundaryOption.apply(
            equation.program(VaryingAxes.all(2), constants, 0.01), equation.boundary());
    VaryingAxes axes = VaryingAxes.of(thin, any);

    assertThat(axes.varies()).containsExactly(true, false);
    assertThat(equation.largestStep(axes, constants))
        .isEqualTo(equation.largestStep(VaryingAxes.all(1), equation.constants(1, Map.of())));
    assertThat(VaryingAxes.of(List.of(1L, 1L), any).count()).isEqualTo(2);
  }

  @Test
  void anAxisOfOneCellBesideAConstantLimitsTheTimeStep() {
    Map<String, Double> constants = Equation.HEAT.constants(2, Map.of());
    StencilProgram any = Equation.HEAT.program(VaryingAxes.all(2), constants, 0.01);

    StencilProgram cooled = BoundaryOption.apply(any, "y.low=constant:0");

    assertThat(VaryingAxes.of(List.of(20L, 1L), cooled).varies()).containsExactly(true, true);
  }

  @Test
  void refusesWhatMakesNoEquation() {
    assertThatThrownBy(() -> Equation.named("burgers"))
        .hasMessage(
            "unknown equation \"burgers\"; use heat, wave, advection, gray-scott, or a file that"
                + " ends in .stencil");
    assertThatThrownBy(() -> Equation.HEAT.constants(2, Map.of("speed", 1.0)))
        .hasMessage(
            "--set speed: the equation heat has the constants [diffusivity, spacing, order]");
    Map<String, Double> still = Equation.ADVECTION.constants(1, Map.of("vx", 0.0));
    assertThatThrownBy(() -> Equation.ADVECTION.goodStep(VaryingAxes.all(1), still))
        .hasMessageContaining("moves");
    Map<String, Double> odd = Equation.HEAT.constants(1, Map.of("order", 2.5));
    assertThatThrownBy(() -> Equation.HEAT.goodStep(VaryingAxes.all(1), odd))
        .hasMessageContaining("order=2.5");
  }

  @Test
  void grayScottBeginsWithASquareInTheMiddle() {
    List<Long> shape = List.of(40L, 40L);
    double[] v =
        new PositionFormula(Equation.GRAY_SCOTT.fields(2).get("v"), shape)
            .values(Box.whole(Extent.of(40, 40)));

    assertThat(v[16 * 40 + 23]).isEqualTo(0.25);
    assertThat(Arrays.stream(v).filter(cell -> cell == 0.25).count()).isEqualTo(8 * 8);
    assertThat(Arrays.stream(v).sum()).isEqualTo(64 * 0.25);
  }
}
