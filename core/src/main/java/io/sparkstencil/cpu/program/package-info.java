/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Programs on the CPU: instructions over runs of cells, applied to tiles that stay in the cache for
 * several steps.
 *
 * <ul>
 *   <li>To be found: {@code CpuProgramProvider}, which compiles a {@code CpuProgram}.
 *   <li>To compile: {@code ProgramCompiler} makes {@code ProgramCode}, which is a list of {@code
 *       Instruction}s that each read {@code Source}s; {@code LinearNodes} finds chains of sums that
 *       become one. A step over cells without NaN has code of its own.
 *   <li>To cut: {@code Geometry} says which cells results depend on, {@code Tiling} chooses the
 *       tiles, each a {@code TileBox}.
 *   <li>To run: a {@code Tile} takes the steps as its {@code Fronts} allow; {@code Margins} have
 *       the cells outside the field.
 *   <li>To compute: {@code Chunks} run a {@code BoundInstruction} over a run of cells: {@code
 *       F32Chunks}, as {@code LoopF32Chunks} with {@code LoopF32Sums}, or {@code VectorF32Chunks}
 *       with {@code VectorF32Sums}. Those of other types are derived when core is built.
 * </ul>
 */
package io.sparkstencil.cpu.program;
