/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CellSummaryTest {
  private static CellSummary of(Object... parts) {
    CellSummary all = new CellSummary();
    for (Object part : parts) {
      CellSummary summary = new CellSummary();
      summary.add(part);
      all.add(summary);
    }
    return all;
  }

  @Test
  void leavesOutWhatIsNaNAndCountsIt() {
    CellSummary summary =
        of(new double[] {Double.NaN, 3}, new double[] {Double.NaN}, new float[] {-4, Float.NaN});

    assertThat(summary.missing()).isEqualTo(3);
    assertThat(summary.min()).isEqualTo(-4);
    assertThat(summary.max()).isEqualTo(3);
    assertThat(summary.sum()).isEqualTo(-1);
    assertThat(summary.norm()).isEqualTo(5);
  }

  @Test
  void hasNoExtremesWhereAllIsNaN() {
    CellSummary summary = of(new float[] {Float.NaN, Float.NaN});

    assertThat(summary.min()).isNaN();
    assertThat(summary.max()).isNaN();
    assertThat(summary.sum()).isZero();
    assertThat(summary.missing()).isEqualTo(2);
  }

  @Test
  void takesInWhatIsInfinite() {
    CellSummary summary = of(new double[] {1, Double.POSITIVE_INFINITY, Double.NaN});

    assertThat(summary.max()).isInfinite();
    assertThat(summary.min()).isEqualTo(1);
    assertThat(summary.sum()).isInfinite();
  }
}
