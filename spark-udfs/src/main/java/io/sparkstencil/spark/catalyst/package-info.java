/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Everything that touches Catalyst or Scala, in rooms of its own; here is only what brings them
 * into a session.
 */
package io.sparkstencil.spark.catalyst;
