/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sum is the one that BigDecimal has, rounded once, in any order and any parts. */
final class ExactSumTest {
  private static double sum(double... terms) {
    ExactSum sum = new ExactSum();
    for (double term : terms) {
      sum.add(term);
    }
    return sum.value();
  }

  /** Numbers of every exponent, many of which cancel. */
  private static List<Double> terms(Random random) {
    List<Double> terms = new ArrayList<>();
    int exponents = 1 + random.nextInt(2000);
    for (int i = 0; i < 1 + random.nextInt(300); i++) {
      double term =
          Double.longBitsToDouble(random.nextLong() & ~(0x7FFL << 52))
              * 0x1p1022
              * Math.scalb(1.0, random.nextInt(exponents) - 1000);
      if (Double.isFinite(term)) {
        terms.add(term);
        if (random.nextInt(3) == 0) {
          terms.add(-term);
        }
      }
    }
    return terms;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void roundsTheExactSumOnceInAnyOrderAndParts(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      List<Double> terms = terms(random);
      BigDecimal exact =
          terms.stream().map(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
      Collections.shuffle(terms, random);
      ExactSum whole = new ExactSum();
      for (int from = 0; from < terms.size(); ) {
        int to = Math.min(terms.size(), from + 1 + random.nextInt(50));
        ExactSum part = new ExactSum();
        terms.subList(from, to).forEach(part::add);
        whole.add(part);
        from = to;
      }

      assertThat(whole.value()).isEqualTo(exact.doubleValue());
    }
  }

  @Test
  void keepsWhatFloatingPointAdditionLoses() {
    assertThat(sum(1e300, 1, -1e300)).isEqualTo(1);
    assertThat(sum(Double.MIN_VALUE, Double.MIN_VALUE)).isEqualTo(2 * Double.MIN_VALUE);
    assertThat(sum(Double.MAX_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE))
        .isEqualTo(Double.MAX_VALUE);
    assertThat(sum(Double.MAX_VALUE, Double.MAX_VALUE)).isInfinite();
  }

  @Test
  void tiesGoToEven() {
    assertThat(sum(0x1p53, 1)).isEqualTo(0x1p53);
    assertThat(sum(0x1p53, 3)).isEqualTo(0x1p53 + 4);
    assertThat(sum(0x1p53, 1, Double.MIN_VALUE)).isEqualTo(0x1p53 + 2);
  }

  @Test
  void specialTermsAddUpAsDoublesDo() {
    assertThat(sum(1, Double.POSITIVE_INFINITY)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(sum(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)).isNaN();
    assertThat(sum(Double.NaN, 1)).isNaN();
    assertThat(sum()).isEqualTo(0.0);
    assertThat(sum(-0.0, -0.0)).isEqualTo(-0.0);
    assertThat(sum(-0.0, 0.0)).isEqualTo(0.0);
  }

  @Test
  void squaresAreExact() {
    ExactSum sum = new ExactSum();
    double term = 1 + 0x1p-40;
    sum.addSquare(term);
    sum.add(-1);
    sum.add(-0x1p-39);

    assertThat(sum.value()).isEqualTo(0x1p-80);
  }
}
