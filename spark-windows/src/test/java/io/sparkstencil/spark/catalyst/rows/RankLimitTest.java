/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RankLimitTest {
  private static final int[] KEYS = {1, 1, 2, 2, 2, 3, 4, 4};

  /** Returns the rank of a row as SQL defines it. */
  private static long rank(RankLimit.Kind kind, int row) {
    return switch (kind) {
      case ROW_NUMBER -> row + 1;
      case RANK -> 1 + IntStream.of(KEYS).filter(key -> key < KEYS[row]).count();
      case DENSE_RANK -> IntStream.of(KEYS).filter(key -> key <= KEYS[row]).distinct().count();
    };
  }

  @ParameterizedTest
  @EnumSource
  void rowsAreWantedWhoseRankIsWithinTheLimit(RankLimit.Kind kind) {
    for (int most = 1; most <= KEYS.length + 1; most++) {
      int limit = most;
      long expected =
          IntStream.range(0, KEYS.length).filter(row -> rank(kind, row) <= limit).count();
      assertThat(new RankLimit(kind, most).wanted(KEYS.length, row -> KEYS[row] != KEYS[row - 1]))
          .as("at most %d", most)
          .isEqualTo((int) expected);
    }
  }
}
