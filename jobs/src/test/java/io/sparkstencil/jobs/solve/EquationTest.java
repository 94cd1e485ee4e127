/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.program.Extent;
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
      double good = equation.goodStep(dimensions, constants);
      double largest = equation.largestStep(dimensions, constants);

      assertThat(good).isPositive().isLessThan(largest);
      assertThat(equation.program(dimensions, constants, good).fields())
          .containsExactlyInAnyOrderElementsOf(equation.fields(dimensions).keySet())
          .contains(equation.shown());
      int axes = dimensions;
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
    assertThat(Equation.ADVECTION.largestStep(3, constants)).isEqualTo(1 / 3.25);
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
    assertThatThrownBy(() -> Equation.ADVECTION.goodStep(1, still)).hasMessageContaining("moves");
    Map<String, Double> odd = Equation.HEAT.constants(1, Map.of("order", 2.5));
    assertThatThrownBy(() -> Equation.HEAT.goodStep(1, odd)).hasMessageContaining("order=2.5");
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
