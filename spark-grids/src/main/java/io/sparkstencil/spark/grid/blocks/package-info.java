/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The blocks of grids that a process holds between tasks. Knows nothing of Spark. */
package io.sparkstencil.spark.grid.blocks;
