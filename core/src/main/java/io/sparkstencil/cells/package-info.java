/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Where cells lie: what the pipeline copies them from, the memory that it copies them to, and where
 * results go.
 *
 * <ul>
 *   <li>To read: a {@code CellSource}; {@code HeapCells} are those of an array.
 *   <li>To compute: a {@code CellBuffer}, which a lane lends; {@code HeapCellBuffer} is that of
 *       engines on the heap.
 *   <li>To hand results on: a {@code CellSink}.
 * </ul>
 */
package io.sparkstencil.cells;
