/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The columns of a task: batches in, chunks of cells, rows or batches with results out. */
package io.sparkstencil.spark.catalyst.columns;
