/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The blocks of grids that a process holds between tasks. Knows nothing of Spark.
 *
 * <ul>
 *   <li>To find: {@code BlockRegistry} has the {@code RunBlocks} of each {@code RunKey}, and those
 *       have each {@code HeldBlock}.
 *   <li>To drop: a {@code BlockMark} says that a block is wanted.
 *   <li>To share memory: {@code HeapShare}.
 * </ul>
 */
package io.sparkstencil.spark.grid.blocks;
