/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.memory.MemoryBlock;

/** The rows of a chunk: copies in pages of a {@link RowPages}, or where a holder keeps them. */
public final class RowBlock implements AutoCloseable {
  private static final int FIRST_CAPACITY = 1024;

  private final RowPages owner;
  private final List<MemoryBlock> pages = new ArrayList<>();
  private final List<RowSource.Holder> holders = new ArrayList<>(); // each retained once
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

  /** Adds a row: where it is, if {@code holder} keeps it there, else, for null, a copy. */
  void add(UnsafeRow row, RowSource.Holder holder) {
    if (holder == null) {
      copy(row.getBaseObject(), row.getBaseOffset(), row.getSizeInBytes());
    } else {
      hold(holder);
      append(row.getBaseObject(), row.getBaseOffset(), row.getSizeInBytes());
    }
  }

  private void hold(RowSource.Holder holder) {
    // Rows come holder by holder.
    if (holders.isEmpty() || holders.get(holders.size() - 1) != holder) {
      holder.retain();
      holders.add(holder);
    }
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
    boolean held = pages.isEmpty(); // else some lie in pages that go with this block
    if (held) {
      holders.forEach(target::hold);
    }
    for (int i = first; i < rows; i++) {
      if (held) {
        target.append(base[i], offset[i], size[i]);
      } else {
        target.copy(base[i], offset[i], size[i]);
      }
      bytes -= size[i];
    }
    rows = first;
  }

  @Override
  public void close() {
    pages.forEach(owner::giveBack);
    pages.clear();
    holders.forEach(RowSource.Holder::release);
    holders.clear();
    last = null;
    rows = 0;
    bytes = 0;
  }
}
