/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Windows that are no stencils, by Spark's own expressions: with keys, and over one series in many
 * ranges.
 *
 * <ul>
 *   <li>Frames that begin or end with a series: {@code SeriesFrames} are what a task computes,
 *       whose functions share a {@code SeriesBuffer}; {@code SeriesResults} goes through rows.
 *   <li>Series given by keys begin afresh. Over one series, {@code RunningPlan} finds by {@code
 *       Aggregates}, of each {@code RunningFunction}, what each range starts from, its {@code
 *       RunningStart}; whose {@code StartValues} say where each buffer is.
 *   <li>Frames between two bounds of one series: {@code BoundedPlan} knows by a {@code FrameReach}
 *       for each how far frames reach, and by their {@code SeriesReach} how far all do: in rows, by
 *       keys ({@code RangeReach}, which asks for a {@code KeyInterval} and compares by {@code
 *       BoundOrder}) or in rows with a value ({@code ValueReach}); {@code HaloPlan} says which
 *       units a task reads, as {@code UnitFacts} and {@code OuterBuffers} say; {@code
 *       BoundedFrames} go through its {@code HaloRows} by {@code FrameRows}. {@code WindowFrames}
 *       makes {@code MovingFrames} for a task: loops where frames are such, Spark's own frames
 *       else. A frame by rows is a {@code RowFrame}.
 *   <li>Frames with one bound, and those from the current row to the last: {@code OpenFrames}; an
 *       {@code OpenFrame} each, whose functions a {@code RestSpec} has. A {@code RestFrame} goes
 *       from the end.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.running;
