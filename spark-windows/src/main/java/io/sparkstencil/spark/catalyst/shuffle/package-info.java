/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Shuffles of our own: rows in batches, sent to ranges of an order, with the ends of each range.
 */
package io.sparkstencil.spark.catalyst.shuffle;
