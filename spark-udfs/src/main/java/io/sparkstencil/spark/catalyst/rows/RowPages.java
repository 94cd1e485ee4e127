/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.unsafe.memory.MemoryBlock;

/**
 * The memory of one task's row copies, accounted with Spark. Holds the rows of a few chunks and
 * what is being put in order, which has a limit of its own, so there is nothing to spill.
 */
public final class RowPages extends MemoryConsumer implements AutoCloseable {
  static final long PAGE_BYTES = 1L << 18; // small enough to be an ordinary object of any heap
  private static final int MOST_FREE_PAGES = 32;

  private final ArrayDeque<MemoryBlock> free = new ArrayDeque<>();
  private final Set<MemoryBlock> lent = Collections.newSetFromMap(new IdentityHashMap<>());

  private long reserved;

  /** Returns pages that are freed when the task ends. */
  public static RowPages of(TaskContext context) {
    RowPages pages = new RowPages(context.taskMemoryManager());
    ScalaInterop.onCompletion(context, pages::close);
    return pages;
  }

  private RowPages(TaskMemoryManager memory) {
    super(memory, PAGE_BYTES, memory.getTungstenMemoryMode());
  }

  RowBlock newBlock() {
    return new RowBlock(this);
  }

  MemoryBlock take(long bytes) {
    boolean reuse = bytes <= PAGE_BYTES && !free.isEmpty();
    MemoryBlock page = reuse ? free.pop() : allocatePage(Math.max(bytes, PAGE_BYTES));
    lent.add(page);
    return page;
  }

  /** Returns a page of at least so many bytes, or null if there is no memory for it. */
  public MemoryBlock tryTake(long bytes) {
    try {
      return take(bytes);
    } catch (SparkOutOfMemoryError refused) {
      return null;
    }
  }

  /**
   * Accounts for arrays of so many bytes; false, and nothing is accounted, if they are too much.
   */
  public boolean tryReserve(long bytes) {
    if (bytes == 0) {
      return true; // Spark refuses to be asked for nothing
    }
    long granted = acquireMemory(bytes);
    if (granted < bytes) {
      freeMemory(granted);
      return false;
    }
    reserved += bytes;
    return true;
  }

  /** Takes back a {@link #tryReserve}. */
  public void unreserve(long bytes) {
    long held = Math.min(bytes, reserved); // none once the task has ended
    reserved -= held;
    freeMemory(held);
  }

  /** Takes a page back that is no longer read, and keeps a few for the next chunks. */
  public void giveBack(MemoryBlock page) {
    if (!lent.remove(page)) {
      return; // freed when the task ended
    }
    if (page.size() == PAGE_BYTES && free.size() < MOST_FREE_PAGES) {
      free.push(page);
    } else {
      freePage(page);
    }
  }

  /** Returns the bytes that rows and reserved arrays take. */
  public long bytesInUse() {
    return getUsed() - free.size() * PAGE_BYTES;
  }

  /** Frees the pages that are kept for the next rows. */
  public void trim() {
    free.forEach(this::freePage);
    free.clear();
  }

  @Override
  public long spill(long size, MemoryConsumer trigger) {
    return 0;
  }

  @Override
  public void close() {
    trim();
    lent.forEach(this::freePage);
    lent.clear();
    unreserve(reserved);
  }
}
