/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Kernels of stencil programs: the one that runs any, and what those of several steps share.
 *
 * <ul>
 *   <li>To take a stage of a step anywhere: {@code StepKernel}, which {@code StepWriter} writes,
 *       does {@code StepJob}s over {@code ArrayView}s.
 *   <li>To hold the boundary: {@code BoundaryTables} say where the value of a position outside is;
 *       {@code Neighbours} looks there; {@code HeldEnds} says at which ends a kernel of several
 *       steps does it itself.
 *   <li>To compute a cell: {@code CellBody}.
 *   <li>To take several steps: a {@code FusedKernel}; {@code Levels} are its stages, which hand on
 *       {@code Variable}s.
 *   <li>To estimate: {@code OperationCost}.
 * </ul>
 */
package io.sparkstencil.kernels.codegen.program;
