/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import java.util.List;

/**
 * Puts rows in order, once. A row has a word of 64 bits in each column. Rows whose keys are equal
 * stay as they came. Used by one thread at a time.
 */
public interface RowSort extends AutoCloseable {
  /** The most words that rows added together may take. */
  int MOST_WORDS = 1 << 16;

  /** What the low bits of a word hold: an integer, signed, or a floating-point number. */
  enum Form {
    BYTE,
    SHORT,
    INT,
    LONG,
    FLOAT,
    DOUBLE
  }

  /**
   * A column by which rows are ordered: by the numbers of its words, or by their complements, of
   * which the greatest number has the least. The number of an integer is itself. That of a
   * floating-point number is its bits as a double, of which all but the sign are reversed where it
   * is negative; zeros of both signs have 0, and all NaNs {@code 0x7FF8000000000000}.
   *
   * @param column which it is
   * @param form what its words hold
   * @param descending whether rows are ordered by complements
   * @param least the least number, or complement of one, that a row has
   * @param bits bits that differences from {@code least} need, 0 to 64
   */
  record Key(int column, Form form, boolean descending, long least, int bits) {}

  /**
   * A column of rows as it is added: differences from one integer, from the lowest bits of each
   * word of memory to the highest. A difference begins where the one before ends, and may end in
   * the next word. The integers are the words of the column, or these are the doubles that the
   * integers give when they are divided.
   *
   * @param bits those of a difference, 0 to 64
   * @param base what is added to a difference; 0 if they have 64 bits
   * @param place the first word of memory, counted from that of the rows; any if there are no bits
   * @param divisor by which integers are divided, or 0 if they are words themselves
   */
  record Packed(int bits, long base, int place, double divisor) {}

  /**
   * What is sorted, and what is required of those who do so.
   *
   * @param rows how many, at least 1
   * @param columns of each, at least 1
   */
  record Shape(int rows, int columns) {
    /** Requires that there are rows and columns. */
    public Shape {
      if (rows < 1 || columns < 1) {
        throw new IllegalArgumentException(
            "a sort needs rows and columns, but got %d and %d".formatted(rows, columns));
      }
    }

    /**
     * Requires that rows can be added.
     *
     * @param before rows that have been
     * @param begun whether sorting has begun
     */
    public void requireAdded(int before, boolean begun, int words, List<Packed> packed, int count) {
      if (count > rows - before || begun) {
        throw new IllegalStateException(
            "%d rows come after %d of %d".formatted(count, before, rows));
      }
      if (words < 1 || words > MOST_WORDS || packed.size() != columns) {
        throw new IllegalArgumentException(
            "%d columns in %d words are added, but there are %d columns, and words may be 1 to %d"
                .formatted(packed.size(), words, columns, MOST_WORDS));
      }
    }

    /** Requires that rows can be sorted by keys, and returns the bits of all of these. */
    public int requireSorted(List<Key> keys, int returned) {
      int bits = 0;
      for (Key key : keys) {
        if (key.column() < 0 || key.column() >= columns) {
          throw new IllegalArgumentException(
              "a key is column %d of %d".formatted(key.column(), columns));
        }
        if (key.bits() < 0 || key.bits() > Long.SIZE - bits) {
          throw new IllegalArgumentException(
              "a key of %d bits comes after %d bits, but all together have 0 to %d"
                  .formatted(key.bits(), bits, Long.SIZE));
        }
        bits += key.bits();
      }
      if (returned < 0 || returned > columns) {
        throw new IllegalArgumentException(
            "%d columns are to be returned of %d".formatted(returned, columns));
      }
      return bits;
    }

    /**
     * Requires that a column can be read.
     *
     * @param returned columns that have been, or less than 0 before rows are sorted
     */
    public void requireRead(int column, int returned) {
      if (column < 0 || (column >= returned && column != columns) || returned < 0) {
        throw new IllegalArgumentException(
            "column %d is read, but %d have been returned".formatted(column, returned));
      }
    }
  }

  /**
   * Adds rows behind those before; the array is free again when this returns.
   *
   * @param memory an array that has the rows
   * @param from where they begin in it
   * @param words how many words they take, at least 1 and at most {@link #MOST_WORDS}
   * @param columns all columns, in order
   * @param count how many rows
   * @throws io.sparkstencil.error.StencilException if the device fails
   */
  void add(long[] memory, int from, int words, List<Packed> columns, int count);

  /**
   * Sorts the rows, all of which have been added. Afterwards the first {@code returned} columns can
   * be read in order, and a sort word for each row: the differences of its keys from the least,
   * those of the last key in the lowest bits.
   *
   * @param keys the most significant first; all together need 64 bits at most
   * @throws io.sparkstencil.error.StencilException if the device fails or has no memory
   */
  void sort(List<Key> keys, int returned);

  /**
   * Reads words in order.
   *
   * @param column one of those returned, or the number of columns for the sort words
   * @param from the first row
   * @param to takes the words, from {@code at} on
   * @throws io.sparkstencil.error.StencilException if the device fails
   */
  void read(int column, int from, int count, long[] to, int at);

  /** Gives the memory back. */
  @Override
  void close();
}
