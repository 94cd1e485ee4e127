/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Windows whose frames have an end without bounds, and ranks, over one series of rows in many
 * partitions: states of parts of the rows, what each partition starts from, and its rows with their
 * results. All arithmetic is that of Spark's own expressions.
 */
package io.sparkstencil.spark.catalyst.running;
