/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuantilesTest {
  private static final double[] VALUES = {7, 1, 9, 3, 5, 11, 2, 4, 8, 10, 6};

  @Test
  void areMeasurementsThemselves() {
    assertThat(Quantiles.median(VALUES)).isEqualTo(6);
    assertThat(Quantiles.of(VALUES, 0)).isEqualTo(1);
    assertThat(Quantiles.of(VALUES, 0.9)).isEqualTo(10);
    assertThat(Quantiles.spread(VALUES)).isEqualTo((10.0 - 2.0) / 6);
    assertThat(VALUES[0]).isEqualTo(7); // not sorted in place
  }

  @Test
  void ofOneOrTwoMeasurements() {
    assertThat(Quantiles.median(List.of(3.5))).isEqualTo(3.5);
    assertThat(Quantiles.spread(List.of(3.5))).isZero();
    assertThat(Quantiles.median(List.of(4.0, 2.0))).isEqualTo(4);
  }
}
