/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Partitions of a shuffle are joined to the work of tasks that end at about the same time. */
final class ShuffledUnitsTest {
  private static final BitSet NONE = new BitSet();

  @ParameterizedTest
  @CsvSource({"200, 16, 4", "200, 16, 15", "1000, 16, 17", "64, 2, 10", "200, 7, 50"})
  void coresHaveAsManyGroupsEach(int partitions, int cores, int inGroup) {
    long[] bytes = new Random(partitions).longs(partitions, 80, 120).toArray();
    long most = 100L * inGroup;
    List<ShuffledUnits.Run> full = ShuffledUnits.join(bytes, NONE, most);
    List<ShuffledUnits.Run> even =
        ShuffledUnits.join(bytes, NONE, ShuffledUnits.even(bytes, NONE, most, cores));
    int turns = (full.size() + cores - 1) / cores;
    assertThat(even.size()).isBetween(full.size(), turns * cores);
    assertThat(even.stream().mapToLong(ShuffledUnits.Run::bytes).sum())
        .isEqualTo(Arrays.stream(bytes).sum());
    long fair = Arrays.stream(bytes).sum() / turns / cores;
    // Groups are of whole partitions: one more than fits, and what is left at the end.
    assertThat(even).allSatisfy(group -> assertThat(group.bytes()).isLessThanOrEqualTo(fair + 240));
  }

  @ParameterizedTest
  @CsvSource({"1, 16, 1000", "20, 16, 0", "20, 16, 100", "3, 2, 100000"})
  void whatCannotBeMoreEvenStays(int partitions, int cores, long most) {
    long[] bytes = new long[partitions];
    Arrays.fill(bytes, 100);
    assertThat(ShuffledUnits.even(bytes, NONE, most, cores)).isEqualTo(most);
  }

  @Test
  void partitionsLeftToOthersAreInNoRun() {
    long[] bytes = {10, 10, 900, 10, 10, 10, 900};
    BitSet others = new BitSet();
    others.set(2);
    others.set(6);
    assertThat(ShuffledUnits.join(bytes, others, 25))
        .containsExactly(
            new ShuffledUnits.Run(0, 2, 20),
            new ShuffledUnits.Run(3, 5, 20),
            new ShuffledUnits.Run(5, 6, 10));
    others.set(0, 7);
    assertThat(ShuffledUnits.join(bytes, others, 25)).isEmpty();
  }
}
