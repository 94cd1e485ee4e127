/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Functions of images over rasters that lie in a table, tile by tile. {@code TilePlans} makes the
 * query; {@code TileAxis} knows where tiles lie; {@code TilePieces} cuts what the tiles around need
 * out of each, {@code TileGroups} makes a tile with its surroundings of the pieces in the operator
 * {@code TileExec}, and {@code TileCrop} takes the surroundings away again.
 */
package io.sparkstencil.spark.catalyst.tiles;
