/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

/**
 * Names a run of a grid.
 *
 * @param grid the grid, unique among all applications
 * @param run the run of the grid: tasks of an earlier one may still be alive
 */
public record RunKey(String grid, int run) {}
