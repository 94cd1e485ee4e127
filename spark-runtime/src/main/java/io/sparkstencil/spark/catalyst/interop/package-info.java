/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What reaches into Spark: its collections, options, tasks, RDDs and block managers in the form in
 * which we use them, and planning that may fail.
 *
 * <ul>
 *   <li>To speak Scala: {@code ScalaInterop}; nodes and expressions are {@code CaseClass}es, {@code
 *       UnaryOperator} and {@code UnaryPlan} are two, {@code Expressions} makes Catalyst's, {@code
 *       RowValue} reads what rows have.
 *   <li>To plan: {@code Guarded} leaves to Spark what fails; {@code SessionOptions} reads our
 *       options, {@code Rapids} asks whether RAPIDS plans, {@code RowWriters} finds writers that
 *       take any row.
 *   <li>To have tasks where and over what we want: {@code GroupedRdd} reads groups of partitions in
 *       {@code GroupTask}s, {@code ReadAheadRdd} those that follow, {@code PlacedRdd} runs where
 *       the driver says, {@code ArrangedRdd} groups the splits of files.
 *   <li>To tell the driver: {@code TaskFindings} are the results of tasks, {@code MapNotes} those
 *       of map tasks; {@code Packed} travels by Java's serialization; {@code GivenUpJob} gives a
 *       job up whose last tasks wait for executors that are gone; {@code Uninterrupted} asks from
 *       threads that were interrupted.
 *   <li>To keep bytes in executors: {@code BlockBytes} in block managers, under the number of a
 *       {@code StorageRdd}; {@code LocalFiles} on disk.
 *   <li>To copy cells: {@code MemoryCells}.
 *   <li>To compute as Spark: {@code Sums}, {@code DecimalMean}.
 *   <li>To show: {@code UiTab}.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.interop;
