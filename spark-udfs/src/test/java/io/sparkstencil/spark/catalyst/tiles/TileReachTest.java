/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.tiles.TileReach.AxisReach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Edges meet in as many tasks as they are worth. */
final class TileReachTest {
  @ParameterizedTest
  @CsvSource({
    "0, 1, 1000, 8, 125",
    "1, 1, 1000, 8, 125",
    "1, 1, 1000, 250, 250",
    "3, 8, 1000, 8, 125",
    "3, 16, 1000, 8, 250",
    "0, 0, 200, 2, 25",
    "64, 1, 1000, 8, 1000",
    "4096, 4096, 1000, 8, 1000",
    "1, 1, 16, 2, 2",
    "1, 1, 16, 64, 16",
    "0, 0, 1, 1, 1",
    "4096, 1, 2147483647, 1, 2147483647"
  })
  void edgesMeetInFewTasksWhereTheyAreFew(int low, int high, int most, int cores, int buckets) {
    AxisReach some = new AxisReach(low, high, false);
    AxisReach none = new AxisReach(0, 0, true);

    assertThat(new TileReach(some, none).buckets(most, cores)).isEqualTo(buckets);
    assertThat(new TileReach(none, some).buckets(most, cores)).isEqualTo(buckets);
  }
}
