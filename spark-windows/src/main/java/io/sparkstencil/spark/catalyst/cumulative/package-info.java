/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Ranks, and functions of frames that begin with a series given by keys, over series that have been
 * collected as columns. Results are columns, and have the bits of Spark's own expressions.
 */
package io.sparkstencil.spark.catalyst.cumulative;
