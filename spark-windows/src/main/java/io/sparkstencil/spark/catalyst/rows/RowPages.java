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
  private static final long LEAST_PAGE_BYTES = 1L << 18;

  /** From so many bytes on Spark keeps pages that are freed for the next task with such pages. */
  private static final long POOLED_PAGE_BYTES = 1L << 20;

  /** A heap has room for so many pages at least: its collectors take them for ordinary objects. */
  private static final long PAGES_OF_HEAP = 1L << 13;

  private static final long MOST_FREE_BYTES = 1L << 23;

  private final ArrayDeque<MemoryBlock> free = new ArrayDeque<>();
  private final Set<MemoryBlock> lent = Collections.newSetFromMap(new IdentityHashMap<>());

  private final long pageBytes;
  private long reserved;

  /** Returns pages that are freed when the task ends. */
  public static RowPages of(TaskContext context) {
    RowPages pages =
        new RowPages(context.taskMemoryManager(), pageBytes(Runtime.getRuntime().maxMemory()));
    ScalaInterop.onCompletion(context, pages::close);
    return pages;
  }

  private RowPages(TaskMemoryManager memory, long pageBytes) {
    super(memory, pageBytes, memory.getTungstenMemoryMode());
    this.pageBytes = pageBytes;
  }

  /** Returns the bytes of a page on a heap of so many. */
  static long pageBytes(long heapBytes) {
    long share = Long.highestOneBit(heapBytes / PAGES_OF_HEAP);
    return Math.max(LEAST_PAGE_BYTES, Math.min(POOLED_PAGE_BYTES, share));
  }

  RowBlock newBlock() {
    return new RowBlock(this);
  }

  MemoryBlock take(long bytes) {
    boolean reuse = bytes <= pageBytes && !free.isEmpty();
    MemoryBlock page = reuse ? free.pop() : allocatePage(bytes);
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
    if (page.size() == pageBytes && free.size() < MOST_FREE_BYTES / pageBytes) {
      free.push(page);
    } else {
      freePage(page);
    }
  }

  /** Returns the bytes that rows and reserved arrays take. */
  public long bytesInUse() {
    return getUsed() - free.size() * pageBytes;
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
