/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Windows that are no stencils, by Spark's own expressions: with keys, and over one series in many
 * ranges.
 *
 * <ul>
 *   <li>Frames that begin or end with one series: {@code RunningPlan} finds by {@code Aggregates}
 *       what each range starts from, its {@code RunningStart}; {@code RunningFrames} are what a
 *       task computes: a {@code RunningFunction} each, by {@code RowFrames}, {@code TieFrames} or,
 *       from the end, {@code RestRows}.
 *   <li>Frames between two bounds of one series: {@code BoundedPlan} knows by {@code FrameReach}
 *       how far frames reach, {@code HaloPlan} which units a task reads, as {@code UnitFacts} and
 *       {@code OuterBuffers} say; {@code FrameRows} goes through its {@code HaloRows}. {@code
 *       WindowFrames} makes {@code MovingFrames} for a task: loops where frames are such, Spark's
 *       own frames else.
 *   <li>Frames with one bound: {@code OpenFrames}; an {@code OpenFrame} each.
 *   <li>Series given by keys: {@code SeriesFrames} begin afresh with each; {@code SeriesResults}
 *       goes through rows.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.running;
