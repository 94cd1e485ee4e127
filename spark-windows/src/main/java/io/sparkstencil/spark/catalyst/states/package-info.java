/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What is aggregated of parts of the rows, and how that of parts that follow each other is joined.
 */
package io.sparkstencil.spark.catalyst.states;
