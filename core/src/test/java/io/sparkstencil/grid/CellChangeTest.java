/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CellChangeTest {
  private static final double NAN = Double.NaN;
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  private static double change(double before, double after) {
    double ofDoubles =
        CellChange.largest(new double[] {1, before, NAN}, new double[] {1.5, after, NAN});
    float[] floats = {1, (float) before, Float.NaN};
    double ofFloats = CellChange.largest(floats, new float[] {1.5f, (float) after, Float.NaN});
    assertThat(ofFloats).isEqualTo(ofDoubles);
    return ofDoubles;
  }

  @Test
  void isTheLargestDifference() {
    assertThat(change(-1, 2)).isEqualTo(3);
    assertThat(change(2, 2.25)).isEqualTo(0.5);
  }

  @Test
  void whatStaysNaNOrInfiniteHasNotChanged() {
    assertThat(change(NAN, NAN)).isEqualTo(0.5);
    assertThat(change(INFINITY, INFINITY)).isEqualTo(0.5);
    assertThat(CellChange.largest(new double[] {NAN}, new double[] {NAN})).isZero();
  }

  @Test
  void whatBecomesNaNOrANumberHasChangedWithoutBound() {
    assertThat(change(1, NAN)).isEqualTo(INFINITY);
    assertThat(change(NAN, 1)).isEqualTo(INFINITY);
    assertThat(change(INFINITY, 1)).isEqualTo(INFINITY);
    assertThat(change(INFINITY, -INFINITY)).isEqualTo(INFINITY);
    assertThat(change(INFINITY, NAN)).isEqualTo(INFINITY);
  }
}
