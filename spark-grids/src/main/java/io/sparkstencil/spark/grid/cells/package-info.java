/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * First cells on their way to blocks, piece by piece.
 *
 * <ul>
 *   <li>To send: {@code FirstCells} are a {@code CellPiece}, which has them, or {@code
 *       FieldPieces}, which are read where the block is.
 *   <li>To read: {@code FieldCells}; {@code FileCells} are those of a file.
 *   <li>To bound memory: {@code LoadBudget}.
 * </ul>
 */
package io.sparkstencil.spark.grid.cells;
