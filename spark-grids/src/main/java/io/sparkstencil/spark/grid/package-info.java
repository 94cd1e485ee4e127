/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Grids of cells that stay on executors while programs take steps on them. {@link
 * io.sparkstencil.spark.grid.StencilGrids} makes them.
 */
package io.sparkstencil.spark.grid;
