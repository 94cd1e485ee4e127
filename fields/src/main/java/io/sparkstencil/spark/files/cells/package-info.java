/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * How formats keep cells in files, one after another or in chunks, and what attributes say of them.
 *
 * <ul>
 *   <li>To find cells: {@code StoredCells} are {@code FlatCells}, {@code RecordCells} or {@code
 *       ChunkedCells}.
 *   <li>To read one array of several: {@code FileArray}.
 *   <li>To know what numbers mean: {@code CfAttributes} find packing and missing values, {@code
 *       NetcdfFill} has those of cells that nobody wrote, {@code FieldLabels} the names and
 *       coordinates of axes.
 *   <li>To read structures: {@code WindowedBytes}.
 * </ul>
 */
package io.sparkstencil.spark.files.cells;
