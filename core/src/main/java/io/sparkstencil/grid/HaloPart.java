/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import java.io.Serializable;

/**
 * A part of a block's halo: cells of one block.
 *
 * @param block the block that has the cells
 * @param from their positions in the grid
 * @param to their positions in the extended box: the same, or those of a periodic image
 */
public record HaloPart(int block, Box from, Box to) implements Serializable {}
