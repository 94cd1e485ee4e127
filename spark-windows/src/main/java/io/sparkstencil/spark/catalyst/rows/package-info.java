/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The rows of a task: where they come from, the memory that keeps them, and their cells. */
package io.sparkstencil.spark.catalyst.rows;
