/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.memory.MemoryBlock;

/** Copies of rows, one after the other, in pages of a {@link RowPages}. */
final class RowBlock implements AutoCloseable {
  private final RowPages owner;
  private final List<MemoryBlock> pages = new ArrayList<>();
  private int[] page = new int[1024];
  private long[] offset = new long[1024];
  private int[] size = new int[1024];
  private int rows;
  private long bytes;
  private long used; // bytes of the last page
  private MemoryBlock last;

  RowBlock(RowPages owner) {
    this.owner = owner;
  }

  int rows() {
    return rows;
  }

  /** Returns the bytes of all rows. */
  long bytes() {
    return bytes;
  }

  void add(UnsafeRow row) {
    add(row.getBaseObject(), row.getBaseOffset(), row.getSizeInBytes());
  }

  private void add(Object base, long baseOffset, int sizeBytes) {
    if (last == null || used + sizeBytes > last.size()) {
      last = owner.take(sizeBytes);
      pages.add(last);
      used = 0;
    }
    if (rows == page.length) {
      page = Arrays.copyOf(page, 2 * rows);
      offset = Arrays.copyOf(offset, 2 * rows);
      size = Arrays.copyOf(size, 2 * rows);
    }
    long at = last.getBaseOffset() + used;
    Platform.copyMemory(base, baseOffset, last.getBaseObject(), at, sizeBytes);
    page[rows] = pages.size() - 1;
    offset[rows] = at;
    size[rows] = sizeBytes;
    rows++;
    used += sizeBytes;
    bytes += sizeBytes;
  }

  /** Makes {@code row} point to row {@code index}. */
  void point(UnsafeRow row, int index) {
    row.pointTo(pages.get(page[index]).getBaseObject(), offset[index], size[index]);
  }

  /** Moves the rows from {@code first} on to the end of {@code target}. */
  void moveTail(int first, RowBlock target) {
    for (int i = first; i < rows; i++) {
      target.add(pages.get(page[i]).getBaseObject(), offset[i], size[i]);
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
