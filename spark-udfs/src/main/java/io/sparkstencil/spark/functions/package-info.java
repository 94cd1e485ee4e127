/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The SQL functions on arrays: names, signatures, texts, and the same as columns of a Dataset. What
 * they are to Catalyst is in {@link io.sparkstencil.spark.catalyst.arrays}.
 *
 * <ul>
 *   <li>To list: a {@code SqlFunction} is an {@code ArrayFunction} or a {@code ProgramFunction},
 *       with {@code Parameter}s and a {@code FunctionText}.
 *   <li>To call from a Dataset: {@code ArrayColumns}.
 * </ul>
 *
 * <p>Users begin with {@link io.sparkstencil.spark.functions.ArrayColumns}, or with SQL.
 */
package io.sparkstencil.spark.functions;
