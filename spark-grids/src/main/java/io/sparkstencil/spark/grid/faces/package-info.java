/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * How faces travel between executors: the log in the block managers, and pushes over Spark's own
 * transport.
 */
package io.sparkstencil.spark.grid.faces;
