/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The rows of a task: where they come from, the memory that keeps them, their order, and their
 * cells.
 *
 * <ul>
 *   <li>To read: {@code RowSource}, series after series, or row by row as {@code SourceRows}; a
 *       {@code RepeatableSeries} is gone through again; {@code OrderedRows} are those of parts,
 *       {@code SeriesRows} and {@code WholeSeries} those of keys, {@code ReadAhead} and {@code
 *       ForwardingRows} what an input in order has.
 *   <li>To keep: {@code RowPages} is the memory that Spark has accounted.
 *   <li>To sort: {@code RowOrder} compares and {@code UnitOrder} sorts: by numbers ({@code
 *       OrderPrefix}, {@code PrefixSort}, {@code RowSplit}) where they suffice, by Spark ({@code
 *       RowSorter}) else; {@code TieOrder} and {@code TieResolver} settle ties. A {@code
 *       CommonDivisor} makes numbers shorter.
 *   <li>To compute: {@code RowChunks} cuts a {@code RowBlock}, of {@code RowRanges} where several
 *       work, of which {@code CellReader} makes cells and {@code EmittedRows} are returned; {@code
 *       RowJoiner} puts results behind. {@code CountedRows} are counted as they are taken.
 *   <li>To leave out: {@code RankLimit} says which rows of a series a query wants, {@code
 *       FirstRows} and {@code LimitedRows} leave out the others, by {@code SeriesKeys}.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.rows;
