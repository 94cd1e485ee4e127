/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The columns of a task: batches in, chunks of cells, batches or rows with results out.
 *
 * <ul>
 *   <li>To know columns: {@code ColumnarLayout} says where they are, {@code WordType} and {@code
 *       Texts} how a value lies in a word or apart from it, {@code TextOrder} how the latter
 *       compare.
 *   <li>To read: {@code ColumnValues} copies, {@code TextReader} reads what lies apart, {@code
 *       RowViews} and {@code ColumnRows} show rows, {@code SelectedVector} shows some rows of a
 *       column.
 *   <li>To make columns: {@code ArrayColumnVector} of an array, {@code WordVector} of words, {@code
 *       TextVector} of a {@code TextMemory} ({@code BlockTexts}, {@code HeldTexts}), {@code
 *       ValueVector} of values read one by one, {@code DecimalVector} of wide decimals; {@code
 *       BatchPacker} of rows.
 *   <li>To filter and project: {@code ColumnFilter}, {@code ColumnProjection} and {@code
 *       ComputedColumns}.
 *   <li>To compute in order: {@code OrderedBatches} cuts chunks of an input in order, {@code
 *       TieBatches} settles its ties.
 *   <li>To return: {@code ResultCells} are those of a stencil, {@code ChunkResults} those of a
 *       chunk, as {@code ResultBatches} or {@code ResultRows}; {@code FailingSums} says which sums
 *       overflow, with the row's {@code RowText}.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.columns;
