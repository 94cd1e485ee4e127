/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Blocks of a grid whose cells no single array holds, without Spark: where blocks lie, what they
 * hold and give, and their steps. Imports programs.
 *
 * <ul>
 *   <li>To cut: {@code GridBlocks} are the blocks, each a {@code Box}; {@code BlockHalves} puts
 *       them into groups of neighbours; {@code ExchangeCost} chooses the steps between exchanges.
 *   <li>To know halos: {@code StepReach} says how far a step reaches, {@code ExtendedBlock} is a
 *       block with its halo, a {@code HaloPart} what it gets of one block, and {@code FacePlan}
 *       what blocks give to each other.
 *   <li>To hold cells: {@code BlockFields}, on the heap ({@code BlockArrays}), in a file ({@code
 *       BlockFile}, whose bytes are in a {@code CellFile}) or in the memory of a device; {@code
 *       CellBoxes} copies boxes between arrays.
 *   <li>To take steps: {@code BlockSteps}, with the {@code PointSource}s that add to a {@code
 *       FieldCell} and the {@code Receiver}s that are sampled.
 *   <li>To give faces: a {@code FacePath} is the way of one; a {@code SharedFace} lies in memory
 *       that processes of a host share, and a {@code FaceBuffer} has one that travels.
 *   <li>To bring cells in: {@code FieldBox}; {@code AxisCoordinates} find the cells of rows.
 *   <li>To know cells: {@code CellSummary} with {@code ExactSum}, {@code CellChange}, and {@code
 *       StrayCells}, which diverge.
 * </ul>
 */
package io.sparkstencil.grid;
