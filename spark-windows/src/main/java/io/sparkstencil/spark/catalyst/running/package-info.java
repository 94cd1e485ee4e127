/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Windows that are no stencils, by Spark's own expressions: with keys, and over one series in many
 * ranges.
 *
 * <ul>
 *   <li>Frames that begin or end with one series: {@code RunningPlan} finds by {@code Aggregates}
 *       what each range starts from, its {@code RunningStart}; whose {@code StartValues} say where
 *       each buffer is; {@code RunningFrames} are what a task computes: a {@code RunningFunction}
 *       each, those that end alike a {@code FrameSpec}, by {@code RowFrames}, {@code TieFrames} or,
 *       from the end, {@code RestRows}, whose {@code RestFrame} a {@code RestSpec} describes.
 *   <li>Frames between two bounds of one series: {@code BoundedPlan} knows by a {@code FrameReach}
 *       for each how far frames reach, and by their {@code SeriesReach} how far all do: in rows, by
 *       keys ({@code RangeReach}, which asks for a {@code KeyInterval} and compares by {@code
 *       BoundOrder}) or in rows with a value ({@code ValueReach}); {@code HaloPlan} says which
 *       units a task reads, as {@code UnitFacts} and {@code OuterBuffers} say; {@code
 *       BoundedFrames} go through its {@code HaloRows} by {@code FrameRows}. {@code WindowFrames}
 *       makes {@code MovingFrames} for a task: loops where frames are such, Spark's own frames
 *       else. A frame by rows is a {@code RowFrame}.
 *   <li>Frames with one bound: {@code OpenFrames}; an {@code OpenFrame} each.
 *   <li>Series given by keys: {@code SeriesFrames} begin afresh with each, in a {@code
 *       SeriesBuffer} that all share; {@code SeriesResults} goes through rows.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.running;
