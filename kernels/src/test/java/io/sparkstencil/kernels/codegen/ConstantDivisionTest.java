/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.ElementType;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The arithmetic that the generated division does, done here step by step. */
class ConstantDivisionTest {
  private static final long SEED = 20_261_121;

  /** The two parts of a reciprocal. */
  private record Parts(float high, float low, double highDouble, double lowDouble) {
    static Parts of(int divisor) {
      return new Parts(
          (float) ConstantDivision.highPart(ElementType.F32, divisor),
          (float) ConstantDivision.lowPart(ElementType.F32, divisor),
          ConstantDivision.highPart(ElementType.F64, divisor),
          ConstantDivision.lowPart(ElementType.F64, divisor));
    }

    float divide(float x) {
      return Math.fma(x, high, Math.fma(x, low, 0f));
    }

    double divide(double x) {
      return Math.fma(x, highDouble, Math.fma(x, lowDouble, 0.0));
    }
  }

  /** Asserts, but without the cost of an assertion object per number. */
  private static <N extends Number> void requireEqual(N actual, N expected, N x, int divisor) {
    if (!actual.equals(expected)) {
      assertThat(actual).as("%s / %d", x, divisor).isEqualTo(expected);
    }
  }

  @Test
  void twoPartsOfTheReciprocalGiveTheCorrectlyRoundedQuotient() {
    Random random = new Random(SEED);
    for (int divisor = 3;
        divisor < 1 << 20;
        divisor = divisor < 600 ? divisor + 1 : 2 * divisor + 1) {
      if (Integer.bitCount(divisor) == 1) {
        continue; // takes the exact reciprocal
      }
      Parts parts = Parts.of(divisor);
      for (int i = 0; i < 3000; i++) {
        int exponent = 127 - 77 + random.nextInt(200);
        float x = Float.intBitsToFloat(exponent << 23 | random.nextInt(1 << 23));
        requireEqual(parts.divide(x), x / divisor, x, divisor);
        double y = (x + random.nextDouble()) * 1e30;
        requireEqual(parts.divide(y), y / divisor, y, divisor);
      }
    }
  }

  @Test
  void quotientsNextToWhereRoundingChangesAreRight() {
    for (int divisor : new int[] {3, 17, 33, 65, 129, 257, 513, 99_991, 1_048_575}) {
      Parts parts = Parts.of(divisor);
      for (int i = 0; i < 20_000; i++) {
        float quotient = Float.intBitsToFloat(0x3F800000 + i * 397);
        float product = quotient * divisor;
        for (float x = Math.nextDown(product); x <= Math.nextUp(product); x = Math.nextUp(x)) {
          requireEqual(parts.divide(x), x / divisor, x, divisor);
        }
      }
    }
  }

  @Test
  void tinyDividendsAreRoundedOnceInDouble() {
    Random random = new Random(SEED);
    for (int divisor = 3;
        divisor < 1 << 20;
        divisor = divisor < 600 ? divisor + 1 : 2 * divisor + 1) {
      Parts parts = Parts.of(divisor);
      for (int i = 0; i < 1000; i++) {
        // All exponents below 2^-78, subnormals among them.
        float x = Float.intBitsToFloat(random.nextInt(49) << 23 | random.nextInt(1 << 23));
        requireEqual((float) parts.divide((double) x), x / divisor, x, divisor);
        // Next to and at halfway between two subnormal quotients.
        float near = Math.round((random.nextInt(4000) + 0.5) * divisor) * Float.MIN_VALUE;
        requireEqual((float) parts.divide((double) near), near / divisor, near, divisor);
      }
    }
  }

  @Test
  void zerosInfinitiesAndNanComeThrough() {
    assertThat(Parts.of(17).divide(-0.0f))
        .isEqualTo(0.0f); // what a sum that starts from 0.0 would give
    assertThat(Parts.of(17).divide(Float.POSITIVE_INFINITY)).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(Parts.of(17).divide(Float.NEGATIVE_INFINITY)).isEqualTo(Float.NEGATIVE_INFINITY);
    assertThat(Parts.of(17).divide(Float.NaN)).isNaN();
    assertThat(Parts.of(3).divide(Double.NEGATIVE_INFINITY)).isEqualTo(Double.NEGATIVE_INFINITY);
  }
}
