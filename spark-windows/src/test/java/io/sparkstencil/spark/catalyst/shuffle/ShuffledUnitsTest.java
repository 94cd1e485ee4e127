/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Partitions of a shuffle are joined to the work of tasks that end at about the same time. */
final class ShuffledUnitsTest {
  private static final BitSet NONE = new BitSet();

  private static final long MB = 1L << 20;

  /** Returns when the last task ends, of those that cores take one after the other. */
  private static long end(List<ShuffledUnits.Run> groups, int cores) {
    PriorityQueue<Long> free = new PriorityQueue<>(Collections.nCopies(cores, 0L));
    groups.forEach(group -> free.add(free.remove() + group.bytes()));
    return Collections.max(free);
  }

  @ParameterizedTest
  @CsvSource({"200, 16, 4", "200, 16, 15", "1000, 16, 17", "64, 2, 10", "200, 7, 50"})
  void coresEndTogether(int partitions, int cores, int inGroup) {
    long[] bytes = new Random(partitions).longs(partitions, 2 * MB, 3 * MB).toArray();
    long all = Arrays.stream(bytes).sum();
    long most = 3 * MB * inGroup;

    List<ShuffledUnits.Run> groups = ShuffledUnits.taper(bytes, NONE, most, cores);

    assertThat(groups.get(0).from()).isZero();
    for (int i = 1; i < groups.size(); i++) {
      assertThat(groups.get(i).from()).isEqualTo(groups.get(i - 1).until());
    }
    assertThat(groups.get(groups.size() - 1).until()).isEqualTo(partitions);
    assertThat(groups.stream().mapToLong(ShuffledUnits.Run::bytes).sum()).isEqualTo(all);
    assertThat(groups).allSatisfy(group -> assertThat(group.bytes()).isLessThanOrEqualTo(most));
    long last = groups.get(groups.size() - 1).bytes();
    assertThat(last).isLessThanOrEqualTo(Math.max(3 * MB, all / cores / 4));
    assertThat(end(groups, cores))
        .isLessThanOrEqualTo(all / cores + Math.max(3 * MB, all / cores / 5));
  }

  @ParameterizedTest
  @CsvSource({"1, 16, 1000, 1", "20, 16, 0, 20", "20, 16, 100, 20", "20, 16, 100000, 1"})
  void smallPartitionsAreJoinedUnlessTheyMayNot(int partitions, int cores, long most, int groups) {
    long[] bytes = new long[partitions];
    Arrays.fill(bytes, 100);
    assertThat(ShuffledUnits.taper(bytes, NONE, most, cores)).hasSize(groups);
  }

  @Test
  void partitionsLeftToOthersAreInNoRun() {
    long[] bytes = {10, 10, 900, 10, 10, 10, 900};
    BitSet others = new BitSet();
    others.set(2);
    others.set(6);
    assertThat(ShuffledUnits.taper(bytes, others, 25, 1))
        .containsExactly(
            new ShuffledUnits.Run(0, 2, 20),
            new ShuffledUnits.Run(3, 5, 20),
            new ShuffledUnits.Run(5, 6, 10));
    others.set(0, 7);
    assertThat(ShuffledUnits.taper(bytes, others, 25, 1)).isEmpty();
  }
}
