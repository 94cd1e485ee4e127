/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Ranks and frames that begin with a series, as loops over collected columns; results are columns,
 * with the bits of Spark's own expressions.
 *
 * <ul>
 *   <li>To plan: {@code CumulativePlan} makes a {@code CumulativeCall} of each function, or says
 *       that it cannot.
 *   <li>To compute: {@code CumulativeBatches} goes through collected series slice by slice ({@code
 *       SeriesSlice}), {@code TieFinder} finds ties.
 *   <li>Functions: a {@code CumulativeFunction} each: {@code RankFunction}, {@code SumFunction},
 *       {@code ExtremeFunction}, {@code PickFunction}.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.cumulative;
