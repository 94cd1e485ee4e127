/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import org.junit.jupiter.api.Test;

/** The comparator can fail. */
class ResultComparatorTest {
  private static final StencilSpec EXACT =
      new StencilSpec(Stencil.sum(Frame.radius(1)), ElementType.F32);
  private static final StencilSpec FAST =
      new StencilSpec(Stencil.sum(Frame.radius(1)).withAccuracy(Accuracy.FAST), ElementType.F32);

  private static SeriesOracle.Expected expected(float... values) {
    byte[] validity = new byte[values.length];
    java.util.Arrays.fill(validity, (byte) 1);
    double[] magnitudes = new double[values.length];
    java.util.Arrays.fill(magnitudes, 3);
    return new SeriesOracle.Expected(values, validity, magnitudes);
  }

  @Test
  void acceptsEqualBitsAndAnyNan() {
    float otherNan = Float.intBitsToFloat(0xffc00001);
    assertThat(
            ResultComparator.difference(
                EXACT, expected(1, Float.NaN, -0.0f), new float[] {1, otherNan, -0.0f}, null))
        .isEmpty();
  }

  @Test
  void findsOneBit() {
    float[] nextUp = {1, Math.nextUp(2f)};
    assertThat(ResultComparator.difference(EXACT, expected(1, 2), nextUp, null))
        .hasValueSatisfying(words -> assertThat(words).contains("result 1 is 2.0000002"));
    assertThat(ResultComparator.difference(EXACT, expected(0), new float[] {-0.0f}, null))
        .isPresent();
  }

  @Test
  void findsWrongValidityAndTooFewResults() {
    assertThat(ResultComparator.difference(EXACT, expected(1), new float[] {1}, new byte[] {0}))
        .hasValueSatisfying(words -> assertThat(words).contains("validity of result 0 is 0"));
    assertThat(ResultComparator.difference(EXACT, expected(1, 2), new float[] {1}, null))
        .isPresent();
  }

  @Test
  void allowsRoundingInFastAndNoMore() {
    float[] near = {Math.nextUp(1f)};
    assertThat(ResultComparator.difference(FAST, expected(1), near, null)).isEmpty();
    assertThat(ResultComparator.difference(FAST, expected(1), new float[] {1.00001f}, null))
        .isPresent();
    assertThat(ResultComparator.difference(FAST, expected(1), new float[] {Float.NaN}, null))
        .isPresent();
    float infinity = Float.POSITIVE_INFINITY;
    assertThat(ResultComparator.difference(FAST, expected(infinity), new float[] {1}, null))
        .isPresent();
  }
}
