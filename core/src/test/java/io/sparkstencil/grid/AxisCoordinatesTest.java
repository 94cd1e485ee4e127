/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.InvalidStencilException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AxisCoordinatesTest {
  private static AxisCoordinates of(String values, double tolerance) {
    return AxisCoordinates.of(
        Arrays.stream(values.split(" ")).mapToDouble(Double::parseDouble).toArray(), tolerance);
  }

  @ParameterizedTest
  @CsvSource({
    "10 20 40, 10, 0",
    "10 20 40, 14.9, 0",
    "10 20 40, 15, 0",
    "10 20 40, 15.1, 1",
    "10 20 40, 31, 2",
    "10 20 40, 49, 2",
    "10 20 40, 1, 0",
    "40 20 10, 40, 0",
    "40 20 10, 12, 2",
    "40 20 10, 15, 2",
    "40 20 10, 30, 1",
    "5, 6, 0",
    "-0.0 1, 0, 0"
  })
  void rowsLieInTheNearestCell(String values, double coordinate, long position) {
    assertThat(of(values, 10).position("lat", coordinate)).isEqualTo(position);
  }

  @Test
  void withoutToleranceNumbersAreTheSame() {
    AxisCoordinates axis = of("0.1 0.2 0.3", 0);
    assertThat(axis.position("x", 0.2)).isEqualTo(1);
    assertThatThrownBy(() -> axis.position("x", Math.nextUp(0.2)))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("column x has the coordinate 0.20000000000000004, 2.7")
        .hasMessageContaining(
            "from the nearest cell, which is at 0.2; the tolerance is 0.0: raise");
  }

  @ParameterizedTest
  @CsvSource({"95, 90.0, 5.0", "-91, -90.0, 1.0", "NaN, 90.0, NaN", "Infinity, 90.0, Infinity"})
  void whatFallsOutsideIsRefusedWithItsDistance(double at, String nearest, String distance) {
    assertThatThrownBy(() -> of("-90 0 90", 0.5).position("lat", at))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining(
            "%s from the nearest cell, which is at %s".formatted(distance, nearest))
        .hasMessageContaining("the tolerance is 0.5");
  }

  @ParameterizedTest
  @CsvSource({
    "1 1, 0",
    "1 2 2, 0",
    "3 1 2, 0",
    "1 NaN, 0",
    "Infinity, 0",
    "1 2, -1",
    "1 2, NaN",
    "1 2, Infinity"
  })
  void refusesWhatNeitherRisesNorFalls(String values, double tolerance) {
    assertThatThrownBy(() -> of(values, tolerance)).isInstanceOf(InvalidStencilException.class);
  }
}
