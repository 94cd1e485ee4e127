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
 *
 * <p>Begin with {@link io.sparkstencil.spark.Stencils}:
 *
 * <pre>{@code
 * Dataset<Row> smooth =
 *     Stencils.over(readings)
 *         .orderBy("t")
 *         .partitionBy("station")
 *         .mean("v", 6, "v_mean")
 *         .toDataset();
 * }</pre>
 *
 * <p>What a stencil is, {@link io.sparkstencil.model} says; {@link io.sparkstencil.spark.functions}
 * has columns, {@link io.sparkstencil.spark.grid} grids. Windows of SQL need no class of ours.
 *
 * <p>Arguments that are wrong are refused at once, with an {@link
 * io.sparkstencil.error.InvalidStencilException}; what is wrong with data ends the job.
 */
package io.sparkstencil.spark;
