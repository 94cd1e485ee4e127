/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What Spark's web pages show of queries and grids: {@code StencilActivity} remembers it, the
 * {@code ActivityPage} shows it.
 */
package io.sparkstencil.spark.ui;
