/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

/**
 * One cell of a field of a block.
 *
 * @param field the index of the field
 * @param index the place of the cell among those of the block's extended box
 */
public record FieldCell(int field, int index) {}
