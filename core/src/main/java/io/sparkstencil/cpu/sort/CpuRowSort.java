/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.sort;

import io.sparkstencil.engine.RowSort;
import io.sparkstencil.error.Cancellation;
import java.util.Arrays;
import java.util.List;

/** Sorts rows in the memory of the host, by {@link WordSort}. */
public final class CpuRowSort implements RowSort {
  private final Shape shape;
  private final long[][] columns;
  private WordSort sort;
  private Key lastKey; // that has bits; its numbers are in the lowest bits of sort words
  private int added;
  private int returned = -1;
  private boolean closed;

  /**
   * Creates a sort without rows.
   *
   * @param rows how many it will have, at least 1
   * @param columns of each, at least 1
   */
  public CpuRowSort(int rows, int columns) {
    this.shape = new Shape(rows, columns);
    this.columns = new long[columns][rows];
  }

  /** Returns the bytes that a sort takes. */
  public static long bytes(long rows, int columns) {
    return rows * (WordSort.ROW_BYTES + (long) columns * Long.BYTES);
  }

  @Override
  public void add(long[] memory, int from, int words, List<Packed> packed, int count) {
    requireOpen();
    shape.requireAdded(added, sort != null, words, packed, count);
    for (int c = 0; c < columns.length; c++) {
      Packed column = packed.get(c);
      unpack(memory, from + column.place(), column, columns[c], added, count);
      if (column.divisor() > 0) {
        divide(columns[c], added, count, column.divisor());
      }
    }
    added += count;
  }

  private static void unpack(
      long[] memory, int place, Packed column, long[] to, int at, int count) {
    int bits = column.bits();
    long base = column.base();
    int until = at + count;
    if (bits == 0) {
      Arrays.fill(to, at, until, base);
      return;
    }
    if (bits == Long.SIZE) {
      System.arraycopy(memory, place, to, at, count);
      return;
    }
    if (Long.SIZE % bits != 0) {
      unpackAcross(memory, place, column, to, at, until);
      return;
    }
    int from = place;
    int i = at;
    if (bits == Integer.SIZE) { // which most columns are
      for (; i + 1 < until; i += 2) {
        long packed = memory[from++];
        to[i] = base + (packed & 0xFFFFFFFFL);
        to[i + 1] = base + (packed >>> Integer.SIZE);
      }
    }
    long mask = -1L >>> (Long.SIZE - bits);
    while (i < until) {
      long packed = memory[from++];
      for (int last = Math.min(until, i + Long.SIZE / bits); i < last; packed >>>= bits) {
        to[i++] = base + (packed & mask);
      }
    }
  }

  /** Unpacks differences that may begin in one word and end in the next. */
  private static void unpackAcross(
      long[] memory, int place, Packed column, long[] to, int at, int until) {
    int bits = column.bits();
    long base = column.base();
    long mask = -1L >>> (Long.SIZE - bits);
    int from = place;
    long packed = 0;
    int left = 0; // bits of it
    for (int i = at; i < until; i++) {
      long difference = packed;
      if (left < bits) {
        long next = memory[from++];
        difference |= next << left;
        packed = next >>> (bits - left);
        left += Long.SIZE - bits;
      } else {
        packed >>>= bits;
        left -= bits;
      }
      to[i] = base + (difference & mask);
    }
  }

  private static void divide(long[] words, int from, int count, double divisor) {
    for (int i = from; i < from + count; i++) {
      words[i] = Double.doubleToRawLongBits(words[i] / divisor);
    }
  }

  @Override
  public void sort(List<Key> keys, int toReturn) {
    requireOpen();
    if (added < shape.rows() || sort != null) {
      throw new IllegalStateException(
          sort != null
              ? "rows are sorted once"
              : "%d of %d rows are there".formatted(added, shape.rows()));
    }
    int bits = shape.requireSorted(keys, toReturn);
    long[] words = new long[added];
    for (Key key : keys) {
      Cancellation.ask();
      if (key.bits() > 0) {
        append(key, columns[key.column()], words);
        lastKey = key;
      }
    }
    sort = new WordSort(words);
    sort.sort(bits);
    returned = toReturn;
  }

  /** Appends the bits of a key to words. */
  private static void append(Key key, long[] column, long[] words) {
    long flipped = key.descending() ? -1 : 0;
    long least = key.least();
    int bits = key.bits();
    Form form = key.form();
    boolean whole = form == Form.LONG; // which most words are
    long kept = bits == Long.SIZE ? 0 : -1; // of the words so far
    for (int i = 0; i < words.length; i++) {
      long number = whole ? column[i] : number(form, column[i]);
      words[i] = ((words[i] & kept) << bits) | ((number ^ flipped) - least);
    }
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
    long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
    return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
  }

  @Override
  public void read(int column, int from, int count, long[] to, int at) {
    requireOpen();
    shape.requireRead(column, returned);
    long[] words = sort.words();
    if (column == columns.length) {
      System.arraycopy(words, from, to, at, count);
      return;
    }
    Key last = lastKey;
    if (last != null && last.column() == column && last.form() == Form.LONG) {
      long flipped = last.descending() ? -1 : 0;
      long mask = -1L >>> (Long.SIZE - last.bits());
      for (int i = 0; i < count; i++) {
        to[at + i] = ((words[from + i] & mask) + last.least()) ^ flipped;
      }
      return;
    }
    long[] source = columns[column];
    int[] places = sort.places();
    for (int i = 0; i < count; i++) {
      to[at + i] = source[places[from + i]];
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("a sort is used after it was closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    sort = null;
    Arrays.fill(columns, null);
  }
}
