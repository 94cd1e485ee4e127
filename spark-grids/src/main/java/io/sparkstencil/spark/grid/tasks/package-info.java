/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** What tasks do with blocks of grids: load, exchange faces, take steps, replay, write. */
package io.sparkstencil.spark.grid.tasks;
