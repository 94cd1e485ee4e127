/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Series as columns, from batches of a scan through a shuffle to chunks of cells: those given by
 * keys, and one of all rows in ranges.
 *
 * <ul>
 *   <li>To shuffle: {@code SeriesLayout} says what of rows is key, order (an {@code OrderKey} for
 *       each column) and value; {@code ColumnShuffle} reads each batch, or some rows, as a {@code
 *       WordBatch}, with a {@code TextColumn} for texts, a {@code ColumnRouter} says where its rows
 *       go ({@code KeyRouter} by keys, {@code RangeRouter} and {@code KeyRowRouter} by ranges of an
 *       order), {@code ColumnWriter} writes them.
 *   <li>To collect: {@code SeriesCollector} makes {@code SeriesColumns}: {@code KeptBatches} wait
 *       until all are there, {@code SeriesNumbers} tells series apart, by {@code KeyTexts} too,
 *       {@code SeriesStore} and {@code TextStore} have their memory, a {@code StoreMemory}.
 *   <li>To sort: {@code SeriesSort} within a series, {@code TaskOrder} all rows of a task at once,
 *       by the {@code NumberRanges} that are known; {@code SeriesTies} compares rows that tie, and
 *       {@code WordTies} those that are rows.
 *   <li>To spill: a {@code SpilledRun} holds sorted rows on disk; {@code SpilledSeries} merges runs
 *       by {@code MergedRows}.
 *   <li>To compute: {@code SeriesBatches} cuts chunks of series, {@code RangeBatches} of a range;
 *       the cells are those of {@code CellRows}, of which {@code SeriesReader} reads columns and
 *       {@code SourceCells} rows, {@code BatchCells} batches in order, {@code RangeUnits} one unit
 *       of a range after the other, and {@code WordCells} copies them. Loops go through an {@code
 *       OrderedSeries} by a {@code SeriesCursor} each: a {@code SeriesSpan} has all its rows, a
 *       {@code UnitsSpan} the {@code PassedRows} that some cursor still needs; {@code UnitCounts}
 *       says which are {@code OwnRows}. {@code CollectedRows} are read row by row for what is no
 *       loop.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.series;
