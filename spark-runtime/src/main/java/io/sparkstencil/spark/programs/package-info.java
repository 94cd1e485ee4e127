/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Stencil programs over arrays: of RDDs, and of SQL's columns. */
package io.sparkstencil.spark.programs;
