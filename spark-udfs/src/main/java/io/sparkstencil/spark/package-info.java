/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What users name: stencils over Spark's datasets and RDDs, the extensions of a session, the
 * plugin.
 *
 * <ul>
 *   <li>To have SQL planned by us: {@code StencilExtensions}; to have executors prepared: {@code
 *       StencilPlugin}.
 *   <li>To query datasets and RDDs: {@code Stencils} starts a {@code StencilQuery} over rows, a
 *       {@code BlockQuery} over arrays; {@code ColumnProgram} is a program over a column.
 *   <li>To see what was done: {@code StencilReport}.
 *   <li>To read CSV: {@code CsvTables}.
 * </ul>
 */
package io.sparkstencil.spark;
