/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.plugin.Resident;
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
import java.util.stream.Stream;

/**
 * The blocks that a process holds between tasks. A block is dropped soon after its mark is gone.
 * Safe for many threads.
 */
public final class BlockRegistry implements Resident {
  private static final long SWEEP_MILLIS = 500;
  private static final int FETCHERS = 8;

  /** Each has bytes of a chunk beside the cells of its block. */
  private static final int MOST_WRITERS = 4;

  private static final int LOGGERS =
      Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors() / 4));
  private static final long IDLE_SECONDS = 10;
  private static final AtomicLong THREADS = new AtomicLong();

  private final HeapShare heap;
  private final Map<RunKey, RunBlocks> runs = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor fetchers = pool(FETCHERS, "stencil-face");
  private final ThreadPoolExecutor loggers = pool(LOGGERS, "stencil-face-log");
  private final ThreadPoolExecutor savers = pool(1, "stencil-face-save");
  private final ThreadPoolExecutor writers =
      pool(writers(Runtime.getRuntime().availableProcessors()), "stencil-checkpoint");
  private Thread sweeper;
  private boolean closed;

  /**
   * Creates a registry without blocks.
   *
   * @param heap what blocks may take of the heap
   */
  public BlockRegistry(HeapShare heap) {
    this.heap = heap;
  }

  /** Returns how many blocks of checkpoints are written at once: steps need the other cores. */
  static int writers(int cores) {
    return Math.max(1, Math.min(MOST_WRITERS, cores / 4));
  }

  /** Returns the blocks that the process of {@code runtime} holds. */
  public static BlockRegistry of(ExecutorRuntime runtime) {
    return runtime.resident(
        BlockRegistry.class,
        conf -> {
          long bytes = HeapShare.bytes(conf, Runtime.getRuntime().maxMemory());
          return new BlockRegistry(new HeapShare(bytes, SessionOptions.tasksAtOnce()));
        });
  }

  /** Returns threads that end when there is nothing to do for a while. */
  public static ThreadPoolExecutor pool(int threads, String name) {
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
   * Returns a block of a run, an empty one if the process does not hold it. It is marked as wanted.
   *
   * @param job the job of the task; jobs of a run are numbered in their order
   * @param newMark gives a mark to a block whose mark is gone, or that is new
   */
  public synchronized Entry enter(RunKey key, int block, int job, Supplier<BlockMark> newMark) {
    if (closed) {
      throw new IllegalStateException("blocks are used after the executor began to shut down");
    }
    RunBlocks run = runs.computeIfAbsent(key, same -> new RunBlocks());
    HeldBlock held = run.enter(block, job, newMark);
    if (sweeper == null) {
      sweeper = new Thread(this::sweepUntilEmpty, "stencil-blocks");
      sweeper.setDaemon(true);
      sweeper.start();
    }
    return new Entry(run, held);
  }

  /** Returns a block of a run, if the process holds it. */
  public Optional<HeldBlock> find(RunKey key, int block) {
    return Optional.ofNullable(runs.get(key)).flatMap(run -> run.find(block));
  }

  /**
   * A block among those of its run.
   *
   * @param run all that the process holds
   * @param block one of them
   */
  public record Entry(RunBlocks run, HeldBlock block) {}

  private void sweepUntilEmpty() {
    while (true) {
      try {
        Thread.sleep(SWEEP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      synchronized (this) {
        runs.values().removeIf(run -> !run.sweep());
        if (runs.isEmpty()) {
          sweeper = null;
          return;
        }
      }
    }
  }

  private Stream<HeldBlock> all() {
    return runs.values().stream().flatMap(run -> run.copy().stream());
  }

  /** Returns the number of blocks. */
  public int count() {
    return runs.values().stream().mapToInt(RunBlocks::count).sum();
  }

  /** Returns the bytes of all blocks on the heap. */
  public long heapBytes() {
    return all().mapToLong(HeldBlock::heapBytes).sum();
  }

  /** Returns the bytes of all blocks on devices. */
  public long deviceBytes() {
    return all().mapToLong(HeldBlock::deviceBytes).sum();
  }

  /** Returns the bytes of all blocks on disk. */
  public long diskBytes() {
    return all().mapToLong(HeldBlock::diskBytes).sum();
  }

  /** Returns what blocks may take of the heap. */
  public HeapShare heap() {
    return heap;
  }

  /** Returns threads that fetch faces. */
  public ExecutorService fetchers() {
    return fetchers;
  }

  /**
   * Returns the thread that puts faces into the log which may help later: one, so that what is too
   * much for it is given up, and takes nothing from the steps.
   */
  public ExecutorService savers() {
    return savers;
  }

  /** Returns threads that put shared faces into the log for their readers. */
  public ExecutorService loggers() {
    return loggers;
  }

  /** Returns the threads that write checkpoints. */
  public ExecutorService writers() {
    return writers;
  }

  @Override
  public void show(MetricRegistry metrics) {
    metrics.register("grids.blocks", (Gauge<Integer>) this::count);
    metrics.register("grids.bytes", (Gauge<Long>) this::heapBytes);
    metrics.register("grids.deviceBytes", (Gauge<Long>) this::deviceBytes);
    metrics.register("grids.diskBytes", (Gauge<Long>) this::diskBytes);
  }

  /**
   * Forgets all blocks.
   *
   * @param patienceMillis how long tasks that work on blocks on a device are waited for; those of
   *     others end by themselves
   */
  @Override
  public void close(long patienceMillis) {
    synchronized (this) {
      closed = true;
      if (sweeper != null) {
        sweeper.interrupt();
      }
    }
    fetchers.shutdownNow();
    writers.shutdownNow();
    savers.shutdown();
    loggers.shutdown(); // tasks wait for what is on its way
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    for (RunBlocks run : runs.values()) {
      for (HeldBlock used : run.close()) {
        if (used.deviceBytes() > 0) {
          await(run, used, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
        }
      }
    }
    runs.clear();
  }

  /** Waits until a closed block has given its memory back. */
  private static void await(RunBlocks run, HeldBlock block, long millis) {
    try {
      run.await(block, millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
