/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Divisors that numbers have in common are found, and quotients are those of a division. */
final class CommonDivisorTest {
  private static long[] multiples(long divisor, long least) {
    return new Random(divisor).longs(200, 0, 1000).map(any -> least + any * divisor).toArray();
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3, 7, 1L << 33, 1_800_000_000L, (1L << 53) - 1})
  void findsTheGreatestDivisorAndDivides(long divisor) {
    long least = -5 * divisor + 1;
    long[] words = multiples(divisor, least);
    CommonDivisor found = CommonDivisor.sampled(words, 0, words.length);
    assertThat(found.value()).isEqualTo(divisor);
    long[] quotients = new long[words.length];
    assertThat(found.divide(words, 0, words.length, least, quotients)).isTrue();
    for (int i = 0; i < words.length; i++) {
      assertThat(quotients[i]).isEqualTo((words[i] - least) / divisor);
      assertThat(found.quotient(words[i] - least)).isEqualTo(quotients[i]);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3, 7, 1L << 33, 1_800_000_000L, (1L << 53) - 1})
  void divisionsWithARemainderAreFoundOut(long divisor) {
    long[] words = multiples(divisor, 0);
    CommonDivisor found = CommonDivisor.sampled(words, 0, words.length);
    words[101] += divisor - 1;
    assertThat(found.divide(words, 0, words.length, 0, new long[200])).isFalse();
    words[101] = -1 - (divisor == 3 ? 1 : 0); // 2^64 - 1 is a multiple of 3
    assertThat(found.divide(words, 0, words.length, 0, new long[200])).isFalse();
  }

  @Test
  void equalNumbersAndThoseWithoutADivisorHaveNone() {
    assertThat(CommonDivisor.sampled(new long[50], 0, 50)).isNull();
    assertThat(CommonDivisor.sampled(new long[] {4}, 0, 1)).isNull();
    assertThat(CommonDivisor.sampled(new long[0], 0, 0)).isNull();
    assertThat(CommonDivisor.sampled(multiples(1, 0), 0, 200)).isNull();
  }

  @Test
  void powersOfTwoDivideByShifts() {
    assertThat(CommonDivisor.ofBits(0).quotient(-3)).isEqualTo(-3);
    assertThat(CommonDivisor.ofBits(5).quotient(-1L << 5)).isEqualTo(-1L >>> 5);
    assertThat(CommonDivisor.ofBits(63).quotient(Long.MIN_VALUE)).isEqualTo(1);
  }
}
