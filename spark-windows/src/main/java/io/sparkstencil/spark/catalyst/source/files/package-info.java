/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What the files of a table say of series and their order, and the ways of windows that rest on it.
 *
 * <ul>
 *   <li>To read footers: {@code Footers} and {@code KeyStatistics} of a {@code KeyColumn}, which
 *       operators that are {@code OverRows} pass on.
 *   <li>For one series: {@code SplitRanges} finds splits that follow each other, {@code
 *       OrderedSplits} and {@code FileOrder} make partitions of them, {@code EvenSplits} keeps all
 *       cores busy.
 *   <li>For series given by keys: {@code SplitSeries}: a {@code SplitReader} keeps most of the rows
 *       in its own task ({@code SplitParts}, {@code SplitRows}), and only {@code CutRows}, those
 *       near a {@code SplitEdge}, are shuffled, with an {@code EdgeMark} each.
 *   <li>To read fewer columns: {@code NarrowScan}; {@code QueryEnd} gives memory back.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.source.files;
