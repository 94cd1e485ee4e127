/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What the driver knows of grids: where first cells come from, the supersteps of runs, and how lost
 * blocks are brought back.
 */
package io.sparkstencil.spark.grid.runs;
