/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.packed.PackedColumns;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.memory.MemoryBlock;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** Batches that wait as they were shuffled until all of a task are there. */
final class KeptBatches implements Iterable<UnsafeRow> {
  private static final long PAGE_BYTES = 1L << 18;

  private final RowPages pages;
  private final long mostBytes;
  private final Deque<Page> kept = new ArrayDeque<>();
  private UnsafeRow refused; // found no room; null if there is none such
  private final long[] nulls;
  private long bytes;
  private long rows;

  /** A page, and the batches in it. */
  private static final class Page {
    private final MemoryBlock memory;
    private final List<UnsafeRow> batches = new ArrayList<>();
    private long used;

    private Page(MemoryBlock memory) {
      this.memory = memory;
    }
  }

  /**
   * Creates an empty store.
   *
   * @param mostBytes bytes that the batches may take together
   * @param nullWords how many words of null bits a row has
   */
  KeptBatches(RowPages pages, long mostBytes, int nullWords) {
    this.pages = pages;
    this.mostBytes = mostBytes;
    this.nulls = new long[nullWords];
  }

  /** Keeps copies of all batches; false once one finds no room. */
  boolean addAll(Iterator<InternalRow> batches) {
    while (batches.hasNext()) {
      UnsafeRow batch = (UnsafeRow) batches.next();
      if (!add(batch)) {
        refused = batch;
        return false;
      }
    }
    return true;
  }

  private boolean add(UnsafeRow batch) {
    int size = batch.getSizeInBytes();
    Page last = kept.peekLast();
    if (last == null || last.used + size > last.memory.size()) {
      long wanted = Math.max(PAGE_BYTES, size);
      MemoryBlock memory = bytes + wanted > mostBytes ? null : pages.tryTake(wanted);
      if (memory == null) {
        return false;
      }
      last = new Page(memory);
      kept.add(last);
      bytes += memory.size();
    }
    Object base = last.memory.getBaseObject();
    long at = last.memory.getBaseOffset() + last.used;
    Platform.copyMemory(batch.getBaseObject(), batch.getBaseOffset(), base, at, size);
    UnsafeRow copy = new UnsafeRow(0);
    copy.pointTo(base, at, size);
    last.batches.add(copy);
    last.used += size;
    rows += PackedColumns.rows(batch);
    long column = at + PackedColumns.HEADER_BYTES;
    for (int word = 0; word < nulls.length; word++) {
      nulls[word] |= union(copy, column);
      column = PackedColumns.next(copy, column);
    }
    return true;
  }

  /** Returns how many rows the batches have. */
  long rows() {
    return rows;
  }

  /** Returns the bits that some word of a column has. */
  private static long union(UnsafeRow batch, long column) {
    long union = 0;
    if (!PackedColumns.isZeros(batch, column)) {
      long[] words = new long[PackedColumns.rows(batch)];
      PackedColumns.read(batch, column, words, 0, 1, words.length);
      for (long word : words) {
        union |= word;
      }
    }
    return union;
  }

  /** Returns for each word of null bits those that a row has; not to be changed. */
  long[] nulls() {
    return nulls;
  }

  @Override
  public java.util.Iterator<UnsafeRow> iterator() {
    return kept.stream().flatMap(page -> page.batches.stream()).iterator();
  }

  /**
   * Returns the batches, then the one that found no room, then others. Each is there until the
   * next; memory is given back on the way, that of the last page when the task ends.
   */
  Iterator<InternalRow> drained(Iterator<InternalRow> others) {
    Iterator<InternalRow> last =
        refused == null
            ? ScalaInterop.noElements()
            : ScalaInterop.<InternalRow>seqOf(refused).iterator();
    return new Drained().concat(() -> last).concat(() -> others);
  }

  private final class Drained extends AbstractIterator<InternalRow> {
    private int next; // of the first page

    @Override
    public boolean hasNext() {
      return kept.size() > 1 || (!kept.isEmpty() && next < kept.peek().batches.size());
    }

    @Override
    public InternalRow next() {
      if (next == kept.element().batches.size()) {
        pages.giveBack(kept.remove().memory);
        next = 0;
      }
      return kept.element().batches.get(next++);
    }
  }

  /** Gives all memory back. */
  void release() {
    kept.forEach(page -> pages.giveBack(page.memory));
    kept.clear();
  }
}
