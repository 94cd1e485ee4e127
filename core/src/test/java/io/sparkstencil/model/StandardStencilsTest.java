/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.error.InvalidStencilException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StandardStencilsTest {
  private static double[] weights(Stencil stencil) {
    return stencil.weights().toArray();
  }

  private static double[] over(double divisor, double... numerators) {
    double[] fractions = new double[numerators.length];
    for (int i = 0; i < fractions.length; i++) {
      fractions[i] = numerators[i] / divisor;
    }
    return fractions;
  }

  /** Fornberg (1988), table 1. */
  @Test
  void derivativesAreThoseOfTheTable() {
    assertThat(weights(StandardStencils.derivative(1, 2, 1))).containsExactly(-0.5, 0, 0.5);
    assertThat(weights(StandardStencils.derivative(1, 4, 1)))
        .containsExactly(over(12, 1, -8, 0, 8, -1));
    assertThat(weights(StandardStencils.derivative(2, 2, 1))).containsExactly(1, -2, 1);
    assertThat(weights(StandardStencils.derivative(2, 4, 1)))
        .containsExactly(over(12, -1, 16, -30, 16, -1));
    assertThat(weights(StandardStencils.derivative(2, 8, 1)))
        .containsExactly(
            -1 / 560.0,
            8 / 315.0,
            -1 / 5.0,
            8 / 5.0,
            -205 / 72.0,
            8 / 5.0,
            -1 / 5.0,
            8 / 315.0,
            -1 / 560.0);
    assertThat(weights(StandardStencils.derivative(3, 2, 1))).containsExactly(-0.5, 1, 0, -1, 0.5);
    assertThat(weights(StandardStencils.derivative(4, 2, 1))).containsExactly(1, -4, 6, -4, 1);
    assertThat(weights(StandardStencils.derivative(4, 4, 1)))
        .containsExactly(over(6, -1, 12, -39, 56, -39, 12, -1));
  }

  @ParameterizedTest
  @CsvSource({"1,2", "1,6", "2,4", "3,4", "4,6", "5,2", "6,4", "7,8"})
  void derivativesAreExactForPolynomials(int order, int accuracyOrder) {
    double spacing = 0.25;
    Stencil stencil = StandardStencils.derivative(order, accuracyOrder, spacing);
    int radius = stencil.frame().preceding();
    for (int degree = 0; degree < order + accuracyOrder; degree++) {
      double sum = 0;
      double magnitude = 0;
      for (int i = -radius; i <= radius; i++) {
        double term = stencil.weights().get(i + radius) * Math.pow(1 + i * spacing, degree);
        sum += term;
        magnitude += Math.abs(term);
      }
      double expected = degree < order ? 0 : 1;
      for (int i = 0; i < order && degree >= order; i++) {
        expected *= degree - i;
      }
      assertThat(sum)
          .as("derivative %d of x^%d at 1", order, degree)
          .isCloseTo(expected, within(magnitude * 0x1p-48));
    }
  }

  @Test
  void theNinePointDerivativeIsTheOneOfOrderEight() {
    Stencil stencil = StandardStencils.ninePointFirstDerivative(1);
    assertThat(weights(stencil))
        .containsExactly(
            1 / 280.0, -4 / 105.0, 1 / 5.0, -4 / 5.0, 0, 4 / 5.0, -1 / 5.0, 4 / 105.0, -1 / 280.0);
    assertThat(StandardStencils.ninePointFirstDerivative(0.5))
        .isEqualTo(StandardStencils.derivative(1, 8, 0.5));
  }

  @Test
  void theBoundaryIsThatOfEveryStencil() {
    assertThat(Stencil.sum(Frame.radius(1)).boundary()).isEqualTo(Boundary.SHRINK);
    assertThat(
            List.of(
                StandardStencils.derivative(1, 2, 1),
                StandardStencils.gaussian(1),
                StandardStencils.savitzkyGolay(2, 2)))
        .allMatch(stencil -> stencil.boundary().equals(Boundary.DEFAULT));
  }

  /** Values of scipy.ndimage.gaussian_filter1d applied to an impulse. */
  @Test
  void theGaussianIsNormalised() {
    double[] weights = weights(StandardStencils.gaussian(1));
    assertThat(weights).hasSize(9);
    assertThat(weights[4]).isCloseTo(0.39894346935609776, within(1e-15));
    assertThat(weights[3]).isCloseTo(0.24197144565660073, within(1e-15));
    assertThat(weights[0]).isCloseTo(0.00013383062461475175, within(1e-17));
    assertThat(StandardStencils.gaussian(2.5, 3).frame()).isEqualTo(Frame.radius(8));
    assertThat(weights(StandardStencils.gaussian(0.1))).containsExactly(1);
  }

  /** Savitzky and Golay (1964), tables I and IV. */
  @Test
  void savitzkyGolayIsThatOfTheTables() {
    assertThat(weights(StandardStencils.savitzkyGolay(2, 2)))
        .containsExactly(over(35, -3, 12, 17, 12, -3));
    assertThat(weights(StandardStencils.savitzkyGolay(3, 3)))
        .containsExactly(over(21, -2, 3, 6, 7, 6, 3, -2));
    assertThat(weights(StandardStencils.savitzkyGolay(4, 2)))
        .containsExactly(over(231, -21, 14, 39, 54, 59, 54, 39, 14, -21));
    assertThat(weights(StandardStencils.savitzkyGolay(2, 2, 1, 1)))
        .containsExactly(over(10, -2, -1, 0, 1, 2));
    assertThat(weights(StandardStencils.savitzkyGolay(2, 2, 2, 1)))
        .containsExactly(over(7, 2, -1, -2, -1, 2));
    assertThat(weights(StandardStencils.savitzkyGolay(2, 4, 1, 0.5)))
        .containsExactly(over(6, 1, -8, 0, 8, -1));
  }

  @Test
  void savitzkyGolayOfDegreeZeroIsTheMean() {
    assertThat(weights(StandardStencils.savitzkyGolay(500, 0))).containsOnly(1 / 1001.0);
  }

  @Test
  void refusesWhatHasNoMeaning() {
    assertThatThrownBy(() -> StandardStencils.derivative(0, 2, 1))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("derivative order 0 is not in [1, 32]");
    assertThatThrownBy(() -> StandardStencils.derivative(1, 3, 1))
        .hasMessageContaining("accuracy order 3 is odd");
    assertThatThrownBy(() -> StandardStencils.savitzkyGolay(2, 5))
        .hasMessageContaining("polynomial degree 5 is not in [0, 4]");
    assertThatThrownBy(() -> StandardStencils.savitzkyGolay(2, 2, 3, 1))
        .hasMessageContaining("derivative 3 is not in [0, 2]");
    assertThatThrownBy(() -> StandardStencils.gaussian(1e9))
        .hasMessageContaining("reaches further");
    assertThatThrownBy(() -> StandardStencils.derivative(8, 2, 1e-60))
        .hasMessageContaining("infinite");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesSpacingsAndSigmasThatAreNotAboveZero(double value) {
    assertThatThrownBy(() -> StandardStencils.derivative(1, 2, value))
        .hasMessageContaining("spacing is " + value);
    assertThatThrownBy(() -> StandardStencils.gaussian(value))
        .hasMessageContaining("sigma is " + value);
  }
}
