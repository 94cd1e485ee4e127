/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code stencil bench}: Spark's windows with and without this library, on the user's Spark.
 *
 * <ul>
 *   <li>{@code BenchCommand} has a {@code BenchRun} time each {@code Workload} by each {@code
 *       Contender}, a {@code Timing} each; {@code BenchReport} says what came of it.
 * </ul>
 */
package io.sparkstencil.jobs.bench;
