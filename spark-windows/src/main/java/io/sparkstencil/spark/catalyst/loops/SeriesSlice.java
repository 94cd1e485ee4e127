/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;

/**
 * Rows of a series that are computed together. Rows are given by where their cells are.
 *
 * @param columns the cells; null for columns that have not been read
 * @param opens for each row whether it does not tie with the row before it; null if nobody asks
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SeriesSlice(CellColumn[] columns, boolean[] opens) {}
