/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The columns of a task: batches in, cells in arrays, batches with results out. */
package io.sparkstencil.spark.catalyst.columns;
