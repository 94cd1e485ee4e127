/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class WideSumTest {
  @Test
  void numbersOfManyBitsAreAdded() {
    Random random = new Random(61);
    WideSum sum = new WideSum();
    BigInteger expected = BigInteger.ZERO;
    for (int i = 0; i < 2000; i++) {
      BigInteger number = new BigInteger(1 + random.nextInt(115), random);
      number = random.nextBoolean() ? number : number.negate();
      long few = random.nextLong();
      sum.add(number);
      sum.add(few);
      expected = expected.add(number).add(BigInteger.valueOf(few));
      assertThat(sum.value()).isEqualTo(expected);
    }
  }
}
