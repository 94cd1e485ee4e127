/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Series that are cut where the files of a table end: their rows stay with the task that has read
 * them, and only those near the cuts are shuffled.
 */
package io.sparkstencil.spark.catalyst.edges;
