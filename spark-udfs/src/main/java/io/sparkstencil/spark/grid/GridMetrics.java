/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import java.util.Set;

/**
 * What a grid has done so far, in all of its states together.
 *
 * @param jobs the Spark jobs
 * @param supersteps the supersteps of blocks; those that were replayed are not counted
 * @param replayedSupersteps the supersteps that blocks have taken again because they were lost
 * @param replayedBlocks the blocks that were lost and brought back
 * @param repairs how often blocks that gave each other faces had to be brought back together
 * @param checkpoints the checkpoints that are complete
 * @param cellSteps the cells that were computed, halos included, once per step
 * @param stepSeconds the time of tasks for steps
 * @param exchangeSeconds the time of tasks for halos
 * @param faceBytes the bytes that blocks have given to each other
 * @param deviceBytes the bytes of blocks that stay in the memory of GPUs, as each was last heard of
 * @param engines what took the steps, such as {@code cpu}
 */
public record GridMetrics(
    long jobs,
    long supersteps,
    long replayedSupersteps,
    Set<Integer> replayedBlocks,
    long repairs,
    long checkpoints,
    long cellSteps,
    double stepSeconds,
    double exchangeSeconds,
    long faceBytes,
    long deviceBytes,
    Set<String> engines) {}
