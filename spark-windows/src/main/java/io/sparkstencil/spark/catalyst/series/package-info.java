/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Series given by keys as columns, from batches of a scan through a shuffle to chunks of cells.
 *
 * <ul>
 *   <li>To shuffle: {@code SeriesLayout} says what of rows is key, order and value; {@code
 *       ColumnShuffle} reads each batch as a {@code WordBatch}, {@code ColumnRouter} and {@code
 *       KeyRouter} say where its rows go, {@code ColumnWriter} writes them.
 *   <li>To collect: {@code SeriesCollector} makes {@code SeriesColumns}: {@code SeriesNumbers}
 *       tells series apart, {@code SeriesStore} and {@code TextStore} have their memory.
 *   <li>To sort: {@code SeriesSort} within a series, {@code TaskOrder} all rows of a task at once,
 *       by the {@code NumberRanges} that are known.
 *   <li>To spill: a {@code SpilledRun} holds sorted rows on disk; {@code SpilledSeries} merges runs
 *       by {@code MergedRows}.
 *   <li>To compute: {@code SeriesBatches} cuts chunks, whose cells {@code WordCells} copies; {@code
 *       SeriesReader} and {@code CollectedRows} read row by row what is no stencil.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.series;
