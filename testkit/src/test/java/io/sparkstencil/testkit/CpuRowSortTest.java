/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cpu.sort.CpuRowSort;
import io.sparkstencil.engine.RowSort;
import io.sparkstencil.engine.RowSort.Form;
import io.sparkstencil.engine.RowSort.Key;
import io.sparkstencil.engine.RowSort.Packed;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sorts of rows on the host. */
class CpuRowSortTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 24, 25, 4097, 8192, 8193, 100_000, 300_000})
  void rowsAreInOrderAndEqualOnesStayAsTheyCame(int rows) {
    for (int columns = 1; columns <= 5; columns++) {
      new RowSortCheck(CpuRowSort::new, rows, columns, rows + columns).run();
    }
  }

  /** Requires that words of {@code bits} bits, made of random ones, are sorted. */
  private static void check(int bits, LongUnaryOperator made) {
    int rows = 50_000;
    long[] words = new Random(bits).longs(rows).map(made).toArray();
    try (RowSort sort = new CpuRowSort(rows, 2)) {
      for (int row = 0; row < rows; row++) {
        long[] memory = {words[row], row};
        sort.add(memory, 0, 2, List.of(new Packed(64, 0, 0, 0), new Packed(64, 0, 1, 0)), 1);
      }
      sort.sort(List.of(new Key(0, Form.LONG, false, 0, bits)), 2);
      Long[] order = Arrays.stream(words).boxed().toArray(Long[]::new);
      Integer[] places = new Integer[rows];
      Arrays.setAll(places, place -> place);
      Arrays.sort(places, (a, b) -> Long.compareUnsigned(words[a], words[b])); // stable
      Arrays.sort(order, Long::compareUnsigned);
      long[] read = new long[rows];
      sort.read(1, 0, rows, read, 0);
      assertThat(read).isEqualTo(Arrays.stream(places).mapToLong(place -> place).toArray());
      sort.read(2, 0, rows, read, 0);
      assertThat(read).isEqualTo(Arrays.stream(order).mapToLong(word -> word).toArray());
    }
  }

  /** Parts that get too large and are split again, and words that hardly differ. */
  @Test
  void wordsOfAnyKindAreSorted() {
    check(64, any -> any);
    check(64, any -> 0);
    check(64, any -> any & 0xF);
    check(64, any -> any << 60);
    check(64, any -> any % 100 == 0 ? any : (17L << 40) | (any >>> 50));
    check(63, any -> (any >>> 1) & 0x7000_0000_0000_0003L);
    check(17, any -> any >>> 47);
    check(1, any -> any & 1);
  }

  private static void zeros(RowSort sort, int columns, int rows) {
    sort.add(new long[1], 0, 1, Collections.nCopies(columns, new Packed(0, 0, 0, 0)), rows);
  }

  @Test
  void whatCannotBeSortedIsRefused() {
    assertThatThrownBy(() -> new CpuRowSort(0, 1)).isInstanceOf(IllegalArgumentException.class);
    CpuRowSort sort = new CpuRowSort(10, 2);
    assertThatThrownBy(() -> sort.sort(List.of(), 0)).hasMessage("0 of 10 rows are there");
    assertThatThrownBy(() -> zeros(sort, 2, 11)).hasMessage("11 rows come after 0 of 10");
    assertThatThrownBy(() -> zeros(sort, 1, 10)).isInstanceOf(IllegalArgumentException.class);
    zeros(sort, 2, 10);
    long[] one = new long[1];
    assertThatThrownBy(() -> sort.read(0, 0, 1, one, 0))
        .isInstanceOf(IllegalArgumentException.class);
    List<Key> unknown = List.of(new Key(2, Form.LONG, false, 0, 1));
    assertThatThrownBy(() -> sort.sort(unknown, 1)).hasMessage("a key is column 2 of 2");
    assertThatThrownBy(() -> sort.sort(List.of(), 3))
        .hasMessage("3 columns are to be returned of 2");
    sort.sort(List.of(), 1);
    assertThatThrownBy(() -> sort.read(1, 0, 1, one, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> sort.sort(List.of(), 1)).hasMessage("rows are sorted once");
    sort.close();
    sort.close();
    assertThatThrownBy(() -> sort.read(0, 0, 1, one, 0)).isInstanceOf(IllegalStateException.class);
  }
}
