/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The blocks that a process holds between tasks. A block is dropped soon after its mark is gone.
 * Safe for many threads.
 */
public final class BlockRegistry {
  private static final long SWEEP_MILLIS = 500;
  private static final int FETCHERS = 8;
  private static final long IDLE_SECONDS = 10;
  private static final AtomicLong THREADS = new AtomicLong();

  private final Map<BlockKey, HeldBlock> blocks = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor fetchers = pool(FETCHERS, "stencil-face");
  private final ThreadPoolExecutor writers = pool(1, "stencil-checkpoint");
  private Thread sweeper;
  private boolean closed;

  private static ThreadPoolExecutor pool(int threads, String name) {
    ThreadFactory daemons =
        work -> {
          Thread thread = new Thread(work, name + "-" + THREADS.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        };
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /**
   * Returns a block that the caller has the lock of, an empty one if the process does not hold it.
   * It is marked as wanted.
   *
   * @param newMark gives a mark to a block whose mark is gone, or that is new
   */
  public HeldBlock lock(BlockKey key, Supplier<BlockMark> newMark) throws InterruptedException {
    while (true) {
      HeldBlock block = block(key, newMark);
      block.lock();
      if (!block.isClosed()) {
        return block;
      }
      block.unlock(); // it was given up in the meantime
    }
  }

  private HeldBlock block(BlockKey key, Supplier<BlockMark> newMark) {
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("blocks are used after the executor began to shut down");
      }
      HeldBlock block =
          blocks.compute(
              key,
              (same, held) -> {
                HeldBlock found = held == null ? new HeldBlock() : held;
                found.want(newMark);
                return found;
              });
      if (sweeper == null) {
        sweeper = new Thread(this::sweepUntilEmpty, "stencil-blocks");
        sweeper.setDaemon(true);
        sweeper.start();
      }
      return block;
    }
  }

  private void sweepUntilEmpty() {
    while (true) {
      try {
        Thread.sleep(SWEEP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      List<HeldBlock> unwanted = new ArrayList<>();
      for (BlockKey key : blocks.keySet()) {
        blocks.computeIfPresent(
            key,
            (same, held) -> {
              if (held.isWanted()) {
                return held;
              }
              unwanted.add(held);
              return null;
            });
      }
      unwanted.forEach(HeldBlock::close);
      synchronized (this) {
        if (blocks.isEmpty()) {
          sweeper = null;
          return;
        }
      }
    }
  }

  /** Returns the number of blocks. */
  public int count() {
    return blocks.size();
  }

  /** Returns the bytes of all blocks on the heap. */
  public long heapBytes() {
    return blocks.values().stream().mapToLong(HeldBlock::heapBytes).sum();
  }

  /** Returns the bytes of all blocks on devices. */
  public long deviceBytes() {
    return blocks.values().stream().mapToLong(HeldBlock::deviceBytes).sum();
  }

  /** Returns threads that fetch faces. */
  public ExecutorService fetchers() {
    return fetchers;
  }

  /** Returns the thread that writes checkpoints. */
  public ExecutorService writers() {
    return writers;
  }

  /**
   * Forgets all blocks.
   *
   * @param patienceMillis how long tasks that work on blocks on a device are waited for; those of
   *     others end by themselves
   */
  public void close(long patienceMillis) {
    synchronized (this) {
      closed = true;
      if (sweeper != null) {
        sweeper.interrupt();
      }
    }
    fetchers.shutdownNow();
    writers.shutdownNow();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    for (HeldBlock each : blocks.values()) {
      each.close();
      if (each.deviceBytes() > 0) {
        await(each, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
      }
    }
    blocks.clear();
  }

  /** Waits until a closed block has given its memory back. */
  private static void await(HeldBlock block, long millis) {
    try {
      if (block.tryLock(millis)) {
        block.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
