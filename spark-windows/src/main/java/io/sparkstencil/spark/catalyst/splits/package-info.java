/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Splits of files in the order of their rows: as their names say where an order was declared, or as
 * the statistics in the files prove it.
 */
package io.sparkstencil.spark.catalyst.splits;
