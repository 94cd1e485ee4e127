/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuantilesTest {
  private static final List<Double> VALUES =
      List.of(7.0, 1.0, 9.0, 3.0, 5.0, 11.0, 2.0, 4.0, 8.0, 10.0, 6.0);

  @Test
  void areMeasurementsThemselves() {
    assertThat(Quantiles.median(VALUES)).isEqualTo(6);
    assertThat(Quantiles.of(VALUES, 0)).isEqualTo(1);
    assertThat(Quantiles.of(VALUES, 0.9)).isEqualTo(10);
    assertThat(Quantiles.spread(VALUES)).isEqualTo((10.0 - 2.0) / 6);
  }

  @Test
  void ofOneOrTwoMeasurements() {
    assertThat(Quantiles.median(List.of(3.5))).isEqualTo(3.5);
    assertThat(Quantiles.spread(List.of(3.5))).isZero();
    assertThat(Quantiles.median(List.of(4.0, 2.0))).isEqualTo(4);
  }
}
