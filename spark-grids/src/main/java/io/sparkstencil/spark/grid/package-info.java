/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Grids of cells that stay on executors while programs take steps on them. {@link
 * io.sparkstencil.spark.grid.StencilGrids} makes them.
 *
 * <ul>
 *   <li>To describe: {@code GridBuilder} takes first cells, which may be a {@code CellFunction} or
 *       {@code FunctionCells}, and {@code GridParameters}.
 *   <li>To make: {@code GridSetup} checks all of it, and chooses blocks by {@code GridCost} and the
 *       {@code DiskRoom} of executors.
 *   <li>To step: a {@code StencilGrid} is a state; its {@code HeldRun} has the run whose blocks are
 *       in that state; {@code GridLife} ends all states together.
 *   <li>To read: {@code GridOutput} brings cells to files and rows, a {@code GridSummary} what they
 *       come to.
 *   <li>To follow: {@code GridListener} hears {@code GridProgress}; {@code GridMetrics} counts,
 *       {@code GridText} says it in words.
 * </ul>
 *
 * <p>Users begin with {@link io.sparkstencil.spark.grid.StencilGrids}. Positions and sizes are
 * given slowest axis first, as in the shape of a NumPy array. A step that fails leaves the state
 * before it as it was.
 */
package io.sparkstencil.spark.grid;
