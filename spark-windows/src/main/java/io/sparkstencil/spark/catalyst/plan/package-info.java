/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The plan nodes: stencils as expressions, logical node and operator, and what is known of the
 * plans below them.
 */
package io.sparkstencil.spark.catalyst.plan;
