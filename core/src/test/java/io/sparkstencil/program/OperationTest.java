/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class OperationTest {
  private static final double[] SPECIAL = {
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    0.0,
    -0.0,
    1,
    -1,
    Float.MIN_VALUE
  };

  private static double f64(Operation operation, double... operands) {
    return operation.apply(operands[0], operands[1], operands.length > 2 ? operands[2] : 0);
  }

  @Test
  void leastAndGreatestFollowSparksOrderAndTakeTheFirstOfEquals() {
    for (double a : SPECIAL) {
      for (double b : SPECIAL) {
        boolean less = b < a || (Double.isNaN(a) && !Double.isNaN(b));
        boolean greater = b > a || (Double.isNaN(b) && !Double.isNaN(a));
        assertThat(Operation.MIN.apply(a, b, 0)).isEqualTo(Double.valueOf(less ? b : a));
        assertThat(Operation.MAX.apply(a, b, 0)).isEqualTo(Double.valueOf(greater ? b : a));
        assertThat(Operation.MIN.apply((float) a, (float) b, 0))
            .isEqualTo(Float.valueOf((float) (less ? b : a)));
        assertThat(Operation.MAX.apply((float) a, (float) b, 0))
            .isEqualTo(Float.valueOf((float) (greater ? b : a)));
      }
    }
    assertThat(Double.doubleToRawLongBits(Operation.MIN.apply(0.0, -0.0, 0))).isZero();
    assertThat(Double.doubleToRawLongBits(Operation.MAX.apply(-0.0, 0.0, 0)))
        .isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void comparisonsWithNanDoNotHold() {
    for (Operation operation :
        new Operation[] {Operation.LESS, Operation.LESS_OR_EQUAL, Operation.EQUAL}) {
      assertThat(f64(operation, Double.NaN, 1)).isZero();
      assertThat(f64(operation, 1, Double.NaN)).isZero();
      assertThat(f64(operation, Double.NaN, Double.NaN)).isZero();
    }
    assertThat(f64(Operation.EQUAL, 0.0, -0.0)).isEqualTo(1);
    assertThat(f64(Operation.LESS, -0.0, 0.0)).isZero();
    assertThat(f64(Operation.LESS_OR_EQUAL, 1, 1)).isEqualTo(1);
  }

  @Test
  void conditionsCombineAsTheirWordsSay() {
    for (int a = 0; a < 2; a++) {
      assertThat(f64(Operation.NOT, a, 0)).isEqualTo(1 - a);
      for (int b = 0; b < 2; b++) {
        assertThat(f64(Operation.AND, a, b)).isEqualTo(a & b);
        assertThat(f64(Operation.OR, a, b)).isEqualTo(a | b);
      }
      assertThat(f64(Operation.SELECT, a, 5, Double.NaN))
          .isEqualTo(Double.valueOf(a == 1 ? 5 : Double.NaN));
    }
  }

  @Test
  void everyOperationRoundsOnceToTheElementType() {
    float third = 1 / 3f;
    assertThat(Operation.MULTIPLY.apply(third, third, 0f)).isEqualTo(third * third);
    assertThat(Operation.FMA.apply(third, third, -1f)).isEqualTo(Math.fma(third, third, -1f));
    assertThat(Operation.FMA.apply(0.1, 10, -1)).isEqualTo(Math.fma(0.1, 10, -1)).isNotZero();
    assertThat(Operation.SQRT.apply(2f, 0f, 0f)).isEqualTo((float) Math.sqrt(2));
    assertThat(Operation.SQRT.apply(-1.0, 0, 0)).isNaN();
    assertThat(1 / Operation.NEGATE.apply(0.0, 0, 0)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(1 / Operation.ABS.apply(-0f, 0f, 0f)).isEqualTo(Float.POSITIVE_INFINITY);
  }
}
