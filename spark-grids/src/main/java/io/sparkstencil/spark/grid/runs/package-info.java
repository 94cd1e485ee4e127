/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What the driver knows of grids: where first cells come from, the supersteps of runs, and how lost
 * blocks are brought back.
 *
 * <ul>
 *   <li>To share: {@code GridSpace} has what all states of a grid have in common, among it {@code
 *       GridCounters}, {@code GridSamples} of receivers, each a {@code SampleSeries}, and the
 *       {@code GridWatch} over cells that diverge.
 *   <li>To begin: {@code GridSources} makes a {@code GridSource} of functions, {@code GridRows} or
 *       {@code GridBoxes}; {@code RowPosition} reads coordinates, {@code ToBlocks} sends cells to
 *       their blocks.
 *   <li>To step: {@code GridRun} adds supersteps to its {@code RunSchedule}, as many for a job as
 *       {@code JobPace} says, and {@code BlockJobs} runs the job.
 *   <li>To place and bring back: {@code BlockPlaces} says on which executors blocks are, {@code
 *       FaceOffers} who reads shared faces, {@code FaceBudget} how many faces are kept.
 *   <li>To write checkpoints: {@code CheckpointPlan} says when; {@code ZarrCheckpoints} writes,
 *       with a {@code SampleFile}, and {@code StoredCheckpoint} reads; a {@code FolderLease} keeps
 *       the folder for one {@code FolderOwner}.
 * </ul>
 */
package io.sparkstencil.spark.grid.runs;
