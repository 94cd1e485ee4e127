/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a grid has done so far, in all of its states together.
 *
 * <pre>{@code
 * GridMetrics done = grid.metrics();
 * System.out.println(done.engines() + " exchanged " + done.faceBytes() + " bytes");
 * }</pre>
 *
 * @param jobs the Spark jobs
 * @param supersteps the supersteps of blocks; those that were replayed are not counted
 * @param replays the supersteps that blocks have taken again because they were lost, or because
 *     Spark has run their tasks elsewhere, by the numbers of blocks; no other block takes a
 *     superstep twice, unless blocks are lost again after they have moved
 * @param repairs how often blocks that gave each other faces had to be brought back together
 * @param checkpoints the checkpoints that are complete
 * @param cellSteps the cells that were computed, halos included, once per step
 * @param stepSeconds the time of tasks for steps
 * @param exchangeSeconds the time of tasks for halos
 * @param faceBytes the bytes that blocks have given to each other
 * @param faces how many faces have come by each way: {@code heap}, {@code device} for the memory of
 *     one GPU, {@code peer} for that of another GPU of the same executor, {@code shared} for that
 *     of another executor of the same host, {@code pushed} by another executor, or {@code log} for
 *     the block managers
 * @param logBytes the bytes of faces that block managers have got to bring back lost blocks, or for
 *     want of a shorter way
 * @param logSeconds the time for which tasks have waited until faces were there
 * @param deviceLogBytes the bytes of GPUs in which faces are kept for the same purpose, as was last
 *     heard
 * @param deviceBytes the bytes of blocks that stay in the memory of GPUs, as each was last heard of
 * @param diskBytes the bytes of blocks that wait in files between supersteps, as each was last
 *     heard of
 * @param engines what took the steps, such as {@code cpu}
 */
public record GridMetrics(
    long jobs,
    long supersteps,
    Map<Integer, Long> replays,
    long repairs,
    long checkpoints,
    long cellSteps,
    double stepSeconds,
    double exchangeSeconds,
    long faceBytes,
    Map<String, Long> faces,
    long logBytes,
    double logSeconds,
    long deviceLogBytes,
    long deviceBytes,
    long diskBytes,
    Set<String> engines) {
  /** Returns the supersteps that blocks have taken again. */
  public long replayedSupersteps() {
    return replays.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the blocks that have been brought back, or have moved, in order. */
  public Set<Integer> replayedBlocks() {
    return new TreeSet<>(replays.keySet());
  }
}
