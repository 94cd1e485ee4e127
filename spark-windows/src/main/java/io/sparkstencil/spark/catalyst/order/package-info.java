/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Orders of rows: comparing and sorting them, settling ties, and checking an order that was
 * promised.
 */
package io.sparkstencil.spark.catalyst.order;
