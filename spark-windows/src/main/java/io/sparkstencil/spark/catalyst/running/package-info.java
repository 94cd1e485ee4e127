/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Ranks, and windows whose frames begin or end with the series: over one series in many partitions,
 * what each partition starts from, and its rows with their results; over series given by keys, all
 * windows that are no stencils. All arithmetic is that of Spark's own expressions.
 */
package io.sparkstencil.spark.catalyst.running;
