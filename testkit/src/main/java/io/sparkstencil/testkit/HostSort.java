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
  public void add(long[] memory, int from, int words, List<Packed> packed, int count) {
    require(added + count <= rows && order == null, "there is no room for more rows");
    require(words > 0 && words <= MOST_WORDS, "there are too many words, or none");
    require(packed.size() == columns.length, "columns are missing");
    for (int c = 0; c < columns.length; c++) {
      for (int row = 0; row < count; row++) {
        long integer = unpacked(memory, from, words, packed.get(c), row);
        double divisor = packed.get(c).divisor();
        columns[c][added + row] =
            divisor == 0 ? integer : Double.doubleToRawLongBits(integer / divisor);
      }
    }
    added += count;
  }

  private static long unpacked(long[] memory, int from, int words, Packed packed, int row) {
    if (packed.bits() == 0) {
      return packed.base();
    }
    require(packed.bits() > 0 && packed.bits() <= Long.SIZE, "there are no such bits");
    require(packed.bits() < Long.SIZE || packed.base() == 0, "whole words have a base");
    long difference = 0;
    for (int bit = packed.bits() - 1; bit >= 0; bit--) {
      long at = (long) row * packed.bits() + bit;
      int place = packed.place() + (int) (at / Long.SIZE);
      require(place < words, "a word lies beyond the others");
      difference = (difference << 1) | (memory[from + place] >>> (at % Long.SIZE) & 1);
    }
    return packed.base() + difference;
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
      long number = number(key.form(), columns[key.column()][row]);
      long above = (key.descending() ? ~number : number) - key.least();
      require(
          key.bits() == Long.SIZE || above >>> key.bits() == 0, "a word is beyond the bits of it");
      word = (key.bits() == Long.SIZE ? 0 : word << key.bits()) | above;
    }
    return word;
  }

  private static long number(Form form, long word) {
    return switch (form) {
      case BYTE -> (byte) word;
      case SHORT -> (short) word;
      case INT -> (int) word;
      case LONG -> word;
      case FLOAT -> ofDouble(Float.intBitsToFloat((int) word));
      case DOUBLE -> ofDouble(Double.longBitsToDouble(word));
    };
  }

  private static long ofDouble(double value) {
    long bits = value == 0 ? 0 : Double.doubleToLongBits(value);
    return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
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
