/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

import java.util.Map;
import java.util.Optional;
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
public final class BlockRegistry implements AutoCloseable {
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
   * Returns a block, an empty one if the process does not hold it. It is marked as wanted.
   *
   * @param newMark gives a mark to a block whose mark is gone, or that is new
   */
  public HeldBlock block(BlockKey key, Supplier<BlockMark> newMark) {
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

  /** Returns a block that the process holds, or nothing. */
  public Optional<HeldBlock> find(BlockKey key) {
    return Optional.ofNullable(blocks.get(key));
  }

  private void sweepUntilEmpty() {
    while (true) {
      try {
        Thread.sleep(SWEEP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      for (BlockKey key : blocks.keySet()) {
        blocks.computeIfPresent(key, (same, held) -> held.isWanted() ? held : null);
      }
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

  /** Returns the bytes of all blocks. */
  public long bytes() {
    return blocks.values().stream().mapToLong(HeldBlock::bytes).sum();
  }

  /** Returns threads that fetch faces. */
  public ExecutorService fetchers() {
    return fetchers;
  }

  /** Returns the thread that writes checkpoints. */
  public ExecutorService writers() {
    return writers;
  }

  /** Forgets all blocks. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      if (sweeper != null) {
        sweeper.interrupt();
      }
    }
    fetchers.shutdownNow();
    writers.shutdownNow();
    blocks.clear();
  }
}
