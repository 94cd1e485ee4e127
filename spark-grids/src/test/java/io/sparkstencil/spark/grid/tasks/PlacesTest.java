/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PlacesTest {
  private final Places places =
      Places.of(
          List.of(
              "executor_a_1",
              "executor_a_1",
              "executor_a_2",
              "executor_a_1",
              "executor_a_1",
              "executor_b_c_3"));

  @Test
  void theFirstHalfOfAnExecutorsBlocksIsBelowOneHalf() {
    assertThat(IntStream.of(0, 1, 3, 4).mapToDouble(places::share))
        .containsExactly(0.125, 0.375, 0.625, 0.875);
    assertThat(places.share(2)).isEqualTo(0.5);
  }

  @Test
  void anotherExecutorOfTheSameHostIsBeside() {
    assertThat(places.isBeside(2, "executor_a_1")).isTrue();
    assertThat(places.isBeside(0, "executor_a_1")).as("the same process").isFalse();
    assertThat(places.isBeside(5, "executor_a_1")).as("another host").isFalse();
    assertThat(places.isBeside(5, "executor_b_c_4")).as("a host with a line").isTrue();
    assertThat(places.executors())
        .containsExactly("executor_a_1", "executor_a_2", "executor_b_c_3");
  }
}
