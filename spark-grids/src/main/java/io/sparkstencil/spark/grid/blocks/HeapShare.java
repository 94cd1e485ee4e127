/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.grid.cells.LoadBudget;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The part of a process's heap that blocks of grids may take: those that stay on it, copies of
 * blocks for a checkpoint, also of those on devices, and beside them a block for each task, which
 * it brings in from its file or copies to take steps. Safe for many threads.
 */
public final class HeapShare {
  /** What Spark reserves for itself. */
  private static final long SPARK_BYTES = 300L << 20;

  /** What Spark leaves to others of the rest, unless {@code spark.memory.fraction} is changed. */
  private static final double USUAL = 0.4;

  /** The part of the heap that faces may take where no option says it. */
  private static final int FACE_PART = 32;

  private final long bytes;
  private final int tasks;
  private final LoadBudget loads;

  /** How many blocks stay, by their bytes. */
  private final NavigableMap<Long, Integer> blocks = new TreeMap<>(); // guarded by this

  private long taken; // guarded by this
  private long copied; // guarded by this

  /**
   * Creates a share of which nothing is taken.
   *
   * @param tasks that run at once
   */
  public HeapShare(long bytes, int tasks) {
    this.bytes = bytes;
    this.tasks = tasks;
    this.loads = LoadBudget.beside(bytes, tasks);
  }

  /**
   * Returns how many bytes blocks may take.
   *
   * @param heap the bytes of the whole heap
   */
  public static long bytes(StencilConf conf, long heap) {
    long asked = conf.get(StencilOptions.GRID_HEAP_BYTES);
    long left = (long) (USUAL * Math.max(heap - SPARK_BYTES, heap / 4));
    return asked > 0 ? asked : Math.max(left / 2, left - faceBytes(conf, heap));
  }

  /**
   * Returns how many bytes faces may take that other executors have pushed.
   *
   * @param heap the bytes of the whole heap
   */
  public static long faceBytes(StencilConf conf, long heap) {
    if (!conf.get(StencilOptions.GRID_PUSH)) {
      return 0;
    }
    long asked = conf.get(StencilOptions.GRID_PUSH_BYTES);
    return asked > 0 ? asked : heap / FACE_PART;
  }

  /** Returns what first cells may take beside the blocks, on their way to them. */
  public LoadBudget loads() {
    return loads;
  }

  /** Takes room for a block that stays, if there is some. */
  public synchronized boolean take(long block) {
    boolean fits = taken + copied + (1.0 + tasks) * block <= bytes;
    if (fits) {
      taken += block;
      blocks.merge(block, 1, Integer::sum);
    }
    return fits;
  }

  /**
   * Takes room for a copy of cells that waits to be written, if there is some beside the blocks.
   */
  public synchronized boolean takeCopy(long copy) {
    double largest = blocks.isEmpty() ? 0 : blocks.lastKey();
    boolean fits = taken + copied + copy + tasks * largest <= bytes;
    copied += fits ? copy : 0;
    return fits;
  }

  /** Gives back what {@link #takeCopy} has taken. */
  public synchronized void giveCopy(long copy) {
    copied -= copy;
  }

  /** Returns the bytes of copies that wait to be written. */
  public synchronized long copiedBytes() {
    return copied;
  }

  /** Gives back what {@link #take} has taken. */
  public synchronized void give(long block) {
    taken -= block;
    blocks.computeIfPresent(block, (same, count) -> count == 1 ? null : count - 1);
  }
}
