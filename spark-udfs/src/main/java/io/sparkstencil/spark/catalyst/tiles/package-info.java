/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Functions of images over rasters that lie in a table, tile by tile. {@code TilePlans} makes the
 * query; {@code TileAxis} knows where tiles lie, and {@code TileAxes} finds that for each raster.
 * Tiles stay where they are: {@code TileStage} computes them once and keeps them, {@code
 * TileStrips} are what others may need of a tile, {@code TileShuffle} brings them to the tasks of
 * those, as the pieces of {@code TileRims}, and {@code TileTask} computes a tile with its rim in
 * the operator {@code TileExec}.
 */
package io.sparkstencil.spark.catalyst.tiles;
