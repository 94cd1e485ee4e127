/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** First cells on their way to blocks, piece by piece. */
package io.sparkstencil.spark.grid.cells;
