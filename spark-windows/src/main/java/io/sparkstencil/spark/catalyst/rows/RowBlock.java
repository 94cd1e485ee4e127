/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.memory.MemoryBlock;

/** The rows of a chunk: copies in pages of a {@link RowPages}. */
public final class RowBlock implements AutoCloseable {
  private static final int FIRST_CAPACITY = 1024;

  private final RowPages owner;
  private final List<MemoryBlock> pages = new ArrayList<>();
  private Object[] base = new Object[FIRST_CAPACITY];
  private long[] offset = new long[FIRST_CAPACITY];
  private int[] size = new int[FIRST_CAPACITY];
  private int rows;
  private long bytes;
  private long used; // bytes of the last page
  private MemoryBlock last;

  RowBlock(RowPages owner) {
    this.owner = owner;
  }

  public int rows() {
    return rows;
  }

  /** Returns the bytes of all rows. */
  long bytes() {
    return bytes;
  }

  /** Adds a copy of a row. */
  void add(UnsafeRow row) {
    copy(row.getBaseObject(), row.getBaseOffset(), row.getSizeInBytes());
  }

  private void copy(Object from, long fromOffset, int sizeBytes) {
    if (last == null || used + sizeBytes > last.size()) {
      last = owner.take(sizeBytes);
      pages.add(last);
      used = 0;
    }
    long at = last.getBaseOffset() + used;
    Platform.copyMemory(from, fromOffset, last.getBaseObject(), at, sizeBytes);
    used += sizeBytes;
    append(last.getBaseObject(), at, sizeBytes);
  }

  private void append(Object rowBase, long rowOffset, int sizeBytes) {
    if (rows == size.length) {
      base = Arrays.copyOf(base, 2 * rows);
      offset = Arrays.copyOf(offset, 2 * rows);
      size = Arrays.copyOf(size, 2 * rows);
    }
    base[rows] = rowBase;
    offset[rows] = rowOffset;
    size[rows] = sizeBytes;
    rows++;
    bytes += sizeBytes;
  }

  /** Makes {@code row} point to row {@code index}. */
  public void point(UnsafeRow row, int index) {
    row.pointTo(base[index], offset[index], size[index]);
  }

  /** Moves the rows from {@code first} on to the end of {@code target}. */
  void moveTail(int first, RowBlock target) {
    for (int i = first; i < rows; i++) {
      target.copy(base[i], offset[i], size[i]);
      bytes -= size[i];
    }
    rows = first;
  }

  @Override
  public void close() {
    pages.forEach(owner::giveBack);
    pages.clear();
    last = null;
    rows = 0;
    bytes = 0;
  }
}
