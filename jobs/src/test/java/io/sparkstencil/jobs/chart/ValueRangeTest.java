/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ValueRangeTest {
  @Test
  void spansTheFiniteValues() {
    assertThat(ValueRange.of(Double.NaN, 2, -1, Double.NEGATIVE_INFINITY))
        .isEqualTo(new ValueRange(-1, 2));
    assertThat(ValueRange.of(Double.NaN)).isEqualTo(new ValueRange(0, 0));
    assertThat(new ValueRange(-1, 2).and(new ValueRange(0, 3))).isEqualTo(new ValueRange(-1, 3));
  }

  @Test
  void signedValuesAreDrawnAroundZero() {
    ValueRange signed = new ValueRange(-1, 4);

    assertThat(signed.colors()).isEqualTo(ColorMap.DIVERGING);
    assertThat(signed.drawn()).isEqualTo(new ValueRange(-4, 4));
    assertThat(new ValueRange(-4, 1).drawn()).isEqualTo(new ValueRange(-4, 4));
  }

  @Test
  void roundingBelowZeroMakesNoFieldSigned() {
    ValueRange rounded = new ValueRange(-1e-17, 4);

    assertThat(rounded.colors()).isEqualTo(ColorMap.SEQUENTIAL);
    assertThat(rounded.drawn()).isEqualTo(rounded);
    assertThat(new ValueRange(-3, -1).colors()).isEqualTo(ColorMap.SEQUENTIAL);
  }

  @Test
  void ticksAreRoundNumbersInTheRange() {
    assertThat(new ValueRange(0, 511).ticks(5))
        .isEqualTo(List.of(0.0, 100.0, 200.0, 300.0, 400.0, 500.0));
    assertThat(new ValueRange(-0.3, 0.3).ticks(4)).containsExactly(-0.2, 0.0, 0.2);
    assertThat(new ValueRange(3, 3).ticks(4)).containsExactly(3.0);
    assertThat(new ValueRange(0, 7).ticks(8)).hasSize(8).contains(7.0);
  }

  @Test
  void ticksEndWhereValuesDifferInTheirLastDigits() {
    for (double least : new double[] {288.15, -288.15, 1e17, 1e300, Double.MIN_VALUE}) {
      ValueRange narrow = new ValueRange(least, Math.nextUp(least));
      assertThat(narrow.ticks(3)).hasSizeLessThan(8).doesNotHaveDuplicates();
    }
  }
}
