/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Series that have many more rows than others: cut into ranges of their order by a second shuffle,
 * so that many tasks share the work.
 */
package io.sparkstencil.spark.catalyst.skew;
