/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Shuffles of our own: rows in batches of packed columns, sent to series or to ranges of an order.
 *
 * <ul>
 *   <li>To write: {@code RowLayout} says how rows lie; a {@code RowBatch} packs some; {@code
 *       LeftInterrupts} clears what functions of users have left.
 *   <li>To pack: {@code PackedColumns} and {@code PackedTexts}, whose {@code PackedBytes} are
 *       without what all share; {@code ColumnCodes} chooses the form of each column after {@code
 *       FormTrials}: {@code FewValues}, {@code DecimalFractions}, {@code LetterCode}, {@code
 *       CommonEnds}; numbers go as {@code DifferenceBits}, before which {@code Quotients} take out
 *       a divisor.
 *   <li>To shuffle: {@code BatchedShuffle} with a {@code BatchPartitioner}; {@code MapOutput} and
 *       {@code ShuffledUnits} know what was written.
 *   <li>To read: {@code PackedRows} and {@code BatchedRows}, each row a {@code TextRow} or one of
 *       Spark's.
 *   <li>To know ranges: {@code KeyRanges} divides keys by their {@code OrderNumber}, of which a
 *       {@code KeySampler} takes some; on the way a {@code RangeFinder} takes {@code RangeNotes} of
 *       {@code OpenRows}: {@code RangeEnds}, {@code RangeExtents} or {@code RangeStates}. Of
 *       unsorted rows an {@code ExtentCollector} finds the extent, an {@code EndsHeap} the first or
 *       last {@code EndRows}, which {@code RowEnds} has.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.shuffle;
