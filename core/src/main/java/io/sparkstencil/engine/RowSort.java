/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import java.util.List;

/**
 * Puts rows in order on a device, once. A row has a word of 64 bits in each column. Rows whose keys
 * are equal stay as they came. Used by one thread at a time.
 */
public interface RowSort extends AutoCloseable {
  /**
   * A column by which rows are ordered, ascending.
   *
   * @param column which it is
   * @param least the least word in it, signed
   * @param bits bits that differences from {@code least} need, 0 to 64
   */
  record Key(int column, long least, int bits) {}

  /**
   * Adds rows behind those before; the arrays are free again when this returns.
   *
   * @param columns the words of each column, or null for one of zeros
   * @param count how many rows
   * @throws io.sparkstencil.error.StencilException if the device fails
   */
  void add(long[][] columns, int count);

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
