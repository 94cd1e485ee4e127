/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Stencils over arrays: each array is a series of its own, many arrays share a launch. Holds the
 * RDD API; what array functions are to Catalyst is in {@code spark.catalyst.arrays}.
 *
 * <ul>
 *   <li>To say what: {@code ArrayOperation}; an {@code ArrayPlan} says what is staged together.
 *   <li>To run over an RDD: {@code ArrayStencil}.
 *   <li>To run over rows: {@code ArrayRow} has the arrays of a row, {@code ArrayResults} takes what
 *       comes out.
 * </ul>
 *
 * <p>Users begin with {@link io.sparkstencil.spark.arrays.ArrayStencil}.
 */
package io.sparkstencil.spark.arrays;
