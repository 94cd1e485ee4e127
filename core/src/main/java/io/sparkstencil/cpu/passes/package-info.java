/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Flat passes over arrays, by plain loops and by the Vector API: the arithmetic of the CPU engine.
 * Imports staging and the model. Only classes whose names begin with {@code Vector} use the
 * incubating module; those of other element types are derived from these when core is built.
 *
 * <ul>
 *   <li>To call: {@code CellPasses} has all passes of a type; {@code VectorPasses} makes those with
 *       the Vector API, and has {@code VectorProfiles} prepare the compiler for them.
 *   <li>By plain loops: {@code LoopF32Passes}; {@code LoopF32FusedPasses} round a product and a sum
 *       at once.
 *   <li>By vectors of some {@code VectorShapes}: {@code VectorF32Passes} has sums; weighted ones
 *       are {@code VectorF32Products}, or {@code VectorF32FusedPasses}.
 *   <li>For wide frames: {@code SlidingScans} cost the same for each width; {@code
 *       VectorF32SlidingSums} are sums.
 *   <li>For minima: {@code VectorI32Minimum} takes keys in the order of cells, {@code
 *       VectorF32Keys} or {@code VectorI32Keys}, and {@code VectorI32Moves} shift them.
 *   <li>To count what is present: {@code FrameCounts}.
 * </ul>
 */
package io.sparkstencil.cpu.passes;
