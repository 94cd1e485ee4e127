/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The CPU engine. It runs batches as flat passes over arrays, with the Vector API if the JVM has
 * it. Imports its passes, the engine interface, staging and the model.
 *
 * <ul>
 *   <li>To be found: {@code CpuEngineProvider} opens the {@code CpuEngine} by its {@code
 *       CpuOptions}; {@code PassKind} says which passes this JVM can run.
 *   <li>To run: {@code CpuLane} has a {@code BatchRun} go over each batch by a {@code CpuStencil};
 *       {@code WideFrames} does so where series are much shorter than frames.
 * </ul>
 */
package io.sparkstencil.cpu;
