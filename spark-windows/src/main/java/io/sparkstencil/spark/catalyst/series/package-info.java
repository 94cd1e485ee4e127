/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Series given by keys, of rows of columns of fixed width and texts, as columns: from batches of a
 * scan or of rows through a shuffle to chunks of cells.
 */
package io.sparkstencil.spark.catalyst.series;
