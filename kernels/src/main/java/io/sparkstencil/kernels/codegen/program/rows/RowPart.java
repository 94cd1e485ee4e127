/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.ptx.Register;

/**
 * What a block computes, in registers.
 *
 * @param stride bytes between rows
 * @param column the first column of its tile
 * @param row the first row of results
 * @param stop the row behind the last one of results
 * @param left whether the tile begins with the first column; null if the boundary is not held
 * @param right whether the tile ends with the last column; null if the boundary is not held
 */
record RowPart(
    Register stride, Register column, Register row, Register stop, Register left, Register right) {}
