/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.rows.RowPages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.unsafe.memory.MemoryBlock;

/** The memory of a store: pages, and arrays that are accounted for, up to a limit for the task. */
class StoreMemory {
  private final RowPages pages;
  private long mostBytes;
  private final List<MemoryBlock> blocks = new ArrayList<>();
  private Object[] bases = new Object[16];
  private long used; // of the last page
  private long reserved;
  private boolean refused; // memory, below the limit

  /**
   * Creates what has no memory yet.
   *
   * @param mostBytes bytes that all rows of the task may take together
   */
  StoreMemory(RowPages pages, long mostBytes) {
    this.pages = pages;
    this.mostBytes = mostBytes;
  }

  /** Sets another limit for all that is in use. */
  final void allow(long most) {
    mostBytes = most;
  }

  /** Accounts for arrays; false if there is no memory for them. */
  final boolean reserve(long bytes) {
    if (pages.bytesInUse() + bytes > mostBytes) {
      return false;
    }
    if (!pages.tryReserve(bytes)) {
      refused = true;
      return false;
    }
    reserved += bytes;
    return true;
  }

  /** Tells whether Spark has refused memory that the limit would have allowed. */
  final boolean isRefused() {
    return refused;
  }

  /** Returns where in the last page so many bytes are free, or -1 if there is no memory. */
  final long take(long bytes) {
    MemoryBlock last = blocks.isEmpty() ? null : blocks.get(blocks.size() - 1);
    if (last == null || used + bytes > last.size()) {
      if (pages.bytesInUse() + bytes > mostBytes) {
        return -1;
      }
      last = pages.tryTake(bytes);
      if (last == null) {
        refused = true;
        return -1;
      }
      addPage(last);
      used = 0;
    }
    long from = last.getBaseOffset() + used;
    used += bytes;
    return from;
  }

  /** Adds a page with what is in it, from which nothing is taken. */
  final void addPage(MemoryBlock page) {
    if (blocks.size() == bases.length) {
      bases = Arrays.copyOf(bases, 2 * bases.length);
    }
    bases[blocks.size()] = page.getBaseObject();
    blocks.add(page);
    used = page.size();
  }

  /** Returns the page that has what was taken last. */
  final int lastPage() {
    return blocks.size() - 1;
  }

  final Object pageBase(int page) {
    return bases[page];
  }

  final long pageOffset(int page) {
    return blocks.get(page).getBaseOffset();
  }

  /** Gives all memory back. */
  final void release() {
    blocks.forEach(pages::giveBack);
    blocks.clear();
    pages.unreserve(reserved);
    reserved = 0;
  }
}
