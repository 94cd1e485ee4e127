/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Kernels of several steps of two-dimensional programs, which stream along the rows.
 *
 * <ul>
 *   <li>To choose: {@code RowStreams} tries shapes of a {@code RowStream} whose {@code
 *       HeldRegisters} fit.
 *   <li>To plan: {@code RowTile} is what a block does; {@code StageSchedule} puts operations in
 *       time, {@code StageGhosts} knows columns outside; {@code RowParts} gives each block its
 *       {@code RowPart}.
 *   <li>To write: {@code RowWriter}, with {@code RowLevels} for the levels of a warp and {@code
 *       RowBoundary} for the ends.
 *   <li>To bring rows: {@code TileRows}, which come from memory by {@code RowRegisters} or a {@code
 *       RowRing}, or from another warp by a {@code RowRelay}.
 *   <li>To store: {@code RowResults}.
 * </ul>
 */
package io.sparkstencil.kernels.codegen.program.rows;
