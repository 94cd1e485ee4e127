/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows are split by the highest bits of their numbers, and stay as they came within a part. */
final class RowSplitTest {
  private static final int ROWS = (1 << 18) + 77;

  private final Random random = new Random(7);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void partsAreInOrderAndRowsOfAPartStayAsTheyCame(boolean nullsFirst) {
    checkSplit(random::nextLong, nullsFirst); // the range of all numbers has more than 63 bits
    checkSplit(() -> random.nextInt(ROWS), nullsFirst);
    checkSplit(() -> random.nextInt(3) - 1, nullsFirst);
    checkSplit(() -> Long.MAX_VALUE - random.nextInt(2), nullsFirst);
    checkSplit(() -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE, nullsFirst);
  }

  private void checkSplit(LongSupplier number, boolean nullsFirst) {
    long[] numbers = LongStream.generate(number).limit(ROWS).toArray();
    boolean[] isNull = new boolean[ROWS];
    for (int i = 0; i < ROWS; i += 1 + random.nextInt(20)) {
      isNull[i] = true;
      numbers[i] = random.nextLong(); // as memory had it
    }
    RowSplit split = new RowSplit(ROWS);
    assertThat(split.find(numbers, isNull, nullsFirst, ROWS)).isTrue();
    long[] places = moved(split, LongStream.range(0, ROWS).toArray());
    assertThat(LongStream.of(places).sorted())
        .isEqualTo(LongStream.range(0, ROWS).boxed().toList());
    int[] ends = split.ends();
    assertThat(ends[ends.length - 1]).isEqualTo(ROWS);
    assertThat(ends.length).isBetween(2, 256);
    int from = 0;
    long before = Long.MIN_VALUE; // greatest number so far
    for (int part = 0; part < ends.length; part++) {
      long greatest = before;
      for (int i = from; i < ends[part]; i++) {
        int place = (int) places[i];
        assertThat(i == from || places[i - 1] < place).isTrue();
        if (isNull[place]) {
          assertThat(part).isEqualTo(nullsFirst ? 0 : ends.length - 1);
        } else {
          assertThat(part == 0 || numbers[place] > before).isTrue();
          greatest = Math.max(greatest, numbers[place]);
        }
      }
      from = ends[part];
      before = greatest;
    }
  }

  private static long[] moved(RowSplit split, long[] words) {
    long[] to = new long[ROWS];
    split.move(words, to, ROWS);
    return to;
  }

  @Test
  void rowsAreLeftTogetherWhereASplitDoesNotHelp() {
    RowSplit split = new RowSplit(ROWS);
    long[] inOrder = LongStream.range(0, ROWS).toArray();
    assertThat(split.find(inOrder, null, true, ROWS)).isFalse();
    long[] inRuns = LongStream.range(0, ROWS).map(i -> i % 1000).toArray();
    assertThat(split.find(inRuns, null, true, ROWS)).isFalse();
    assertThat(split.find(new long[ROWS], null, true, ROWS)).isFalse();
    boolean[] all = new boolean[ROWS];
    Arrays.fill(all, true);
    long[] any = random.longs(ROWS).toArray();
    assertThat(split.find(any, all, true, ROWS)).isFalse();
    assertThat(split.isFound()).isFalse();
    assertThat(split.isPossible(1000)).isFalse();
  }
}
