/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.engine.RowSort;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sorts rows as a device does, in plain Java, and requires that it is used as a device has to be.
 */
final class HostSort implements RowSort {
  private final int rows;
  private final long[][] columns;
  private int added;
  private int[] order; // of the rows, once they are sorted
  private long[] words;
  private int returned;

  HostSort(int rows, int columns) {
    this.rows = rows;
    this.columns = new long[columns][rows];
  }

  @Override
  public void add(long[][] batch, int count) {
    require(added + count <= rows && order == null, "there is no room for more rows");
    for (int c = 0; c < columns.length; c++) {
      if (batch[c] != null) {
        System.arraycopy(batch[c], 0, columns[c], added, count);
      }
    }
    added += count;
  }

  @Override
  public void sort(List<Key> keys, int toReturn) {
    require(added == rows && order == null, "rows are missing or sorted");
    require(keys.stream().mapToInt(Key::bits).sum() <= Long.SIZE, "keys have too many bits");
    long[] packed = IntStream.range(0, rows).mapToLong(row -> word(keys, row)).toArray();
    order =
        IntStream.range(0, rows)
            .boxed()
            .sorted(Comparator.comparing(row -> packed[row], Long::compareUnsigned)) // stable
            .mapToInt(row -> row)
            .toArray();
    words = packed;
    returned = toReturn;
  }

  private long word(List<Key> keys, int row) {
    long word = 0;
    for (Key key : keys) {
      long above = columns[key.column()][row] - key.least();
      require(
          key.bits() == Long.SIZE || above >>> key.bits() == 0, "a word is beyond the bits of it");
      word = (key.bits() == Long.SIZE ? 0 : word << key.bits()) | above;
    }
    return word;
  }

  @Override
  public void read(int column, int from, int count, long[] to, int at) {
    require(column < returned || column == columns.length, "a column has not been returned");
    long[] source = column == columns.length ? words : columns[column];
    for (int i = 0; i < count; i++) {
      to[at + i] = source[order[from + i]];
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  @Override
  public void close() {
    added = rows;
    order = new int[0]; // nothing can be read any more
  }
}
