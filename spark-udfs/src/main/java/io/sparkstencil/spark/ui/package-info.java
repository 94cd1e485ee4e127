/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** What Spark's web pages show of queries and grids. */
package io.sparkstencil.spark.ui;
