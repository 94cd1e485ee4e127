/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Ranks, frames that begin with a series and frames between two bounds, as loops over columns;
 * results have the bits of Spark's own expressions.
 *
 * <ul>
 *   <li>To plan: {@code LoopRules} is the one table of what is a loop: it makes a {@code LoopCall}
 *       of a window, or says why not; {@code LoopPlan} has those of an operator.
 *   <li>To compute: {@code LoopBatches} goes through series slice by slice ({@code SeriesSlice}),
 *       and gives up between {@code AskedCells} once nobody wants the work; in the middle of one it
 *       goes on from a {@code LoopStart}, whose buffers have {@code ResumedValue}s. {@code
 *       TieFinder} finds ties, {@code MovingLoops} computes the frames between two bounds of a
 *       slice. {@code RowLoops} has the results of these for rows that stay rows.
 *   <li>Functions: a {@code LoopFunction} each. From the first row on, a {@code
 *       CumulativeFunction}: {@code RankFunction}, {@code CountFunction}, {@code SumFunction},
 *       {@code ExtremeFunction} (of texts by {@code TextOrder}), {@code PickFunction}, {@code
 *       BitFunction}, {@code MomentFunction}.
 *   <li>Frames: {@code RowBounds} and {@code KeyBounds} are {@code FrameBounds}, whose {@code
 *       FrameEnds} say for each row where in the {@code FrameCells} its frame lies; a {@code
 *       KeyStep} is what is added to keys, a {@code KeyBound} the sum for a row.
 *   <li>Functions of frames: a {@code MovingFunction} each. A {@code SlidingFunction} takes cells
 *       in and out: {@code MovingCount}, {@code MovingIntegers}, {@code MovingExtreme} with a
 *       {@code PositionQueue}, {@code MovingPick}, {@code MovingDecimals}, whose {@code
 *       DecimalResults} may have more than 18 digits. {@code MovingDoubles} has {@code FrameSums}
 *       add many of the {@code DistinctFrames} side by side, {@code MovingVariance} does likewise.
 *       A {@code GrowingFrame} begins with the series, a {@code FrameOfCumulative} goes on from a
 *       first row, a {@code FrameAfresh} goes through all rows of each frame by a {@code
 *       CumulativeFunction}.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.loops;
