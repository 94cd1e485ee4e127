/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The array functions as Catalyst sees them: expressions, the batched operator and the rule that
 * puts it in their place, and array data in Spark's own bytes. Of ours, imports {@code
 * spark.functions} and {@code spark.arrays}.
 *
 * <ul>
 *   <li>To be called: {@code ArrayFunctionRegistry} makes SQL know them; an {@code ArrayCall} is an
 *       {@code ArrayExpression} of a stencil or a {@code ProgramExpression}, with {@code
 *       ArrayArguments} of some {@code ArrayTypes}.
 *   <li>To compute many rows at once: {@code ArrayProjectRule} puts a {@code BatchedProjectExec} in
 *       the place of projections: {@code ArrayProjectExec}, whose tasks are {@code
 *       ArrayProjectTask}, or {@code ProgramProjectExec} with {@code ProgramProjectTask}, which
 *       runs {@code TaskPrograms}; {@code ArrayProjectMetrics} counts.
 *   <li>To compute one array: {@code ArrayEvaluator} and {@code ProgramEvaluator}; {@code
 *       DriverWork} makes jobs of what takes long on the driver.
 *   <li>To read and write arrays: {@code ArrayDataReader} and {@code ArrayRowWriter} for stencils;
 *       {@code ProgramArray}, {@code ProgramRowWriter} and {@code ProgramShape} for programs.
 *   <li>To run below RAPIDS: {@code RapidsRule} hands it a {@code RapidsFunction}.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.arrays;
