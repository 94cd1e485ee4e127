/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Rows, blocks and cells on their way through the pipeline of core: what is staged, in which
 * chunks, and with which halos.
 *
 * <ul>
 *   <li>To stage: {@code StagePlan} of {@code ColumnOperation}s: a {@code FrameOperation} or a
 *       {@code SeriesProgram} over a column of some {@code CellKind}.
 *   <li>To run: {@code ChunkBuilder} cuts {@code SeriesChunk}s of {@code CellColumn}s, {@code
 *       ChunkRunner} runs the pipelines; {@code BlockFilter} does so for blocks.
 *   <li>Halos: {@code EndsCollector} finds the {@code PartitionEnds}, of which {@code HaloPlanner}
 *       makes {@code SeriesHalos}.
 *   <li>To sum as Spark: {@code CheckedSums} finds sums that overflow, {@code SumOverflow} says
 *       what becomes of them.
 * </ul>
 */
package io.sparkstencil.spark.exec;
