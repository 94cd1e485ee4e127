/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Scala's collections, Spark's options, errors, tasks and RDDs in the form in which Java uses them;
 * and planning that may fail.
 */
package io.sparkstencil.spark.catalyst.interop;
