/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The interface of engines. Imports staging, the model and programs, and never the types of a
 * device.
 *
 * <ul>
 *   <li>To find engines: a {@code Provider} is an {@code EngineProvider} for stencils or a {@code
 *       ProgramEngineProvider} for programs; {@code Engines} and {@code ProgramEngines} find them,
 *       a {@code Selection} says why others are not used.
 *   <li>To run stencils: a {@code StencilEngine} compiles a {@code CompiledStencil} and opens a
 *       {@code Lane}, which takes batches and returns a {@code Completion} for each; {@code
 *       DeviceTimes} say what they took.
 *   <li>To run programs: a {@code ProgramEngine} compiles a {@code CompiledProgram}; {@code
 *       BestProgram} asks each engine for a {@code ProgramEstimate} of some {@code ProgramWork} and
 *       runs on the fastest, as {@code ProgramChoice} explains.
 *   <li>To choose between host and device: {@code DeviceCosts}.
 *   <li>To tune: {@code ScheduleTuning} and {@code ProgramTuning}.
 *   <li>To sort: {@code RowSort}.
 * </ul>
 */
package io.sparkstencil.engine;
