/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What all kernel generators share: cells in registers and their arithmetic, how PTX spells element
 * types, and the finished text with its parameters. Imports variant, ptx and the model; never needs
 * a device.
 *
 * <ul>
 *   <li>To write: a {@code KernelWriter} has the arguments of a kernel, each a {@code
 *       KernelParameter}, and ends with a {@code GeneratedKernel}.
 *   <li>To compute: {@code CellMath} on {@code Cell}s, by the operations of {@code PtxCells};
 *       {@code ConstantDivision} divides by a known width.
 *   <li>To exchange within a warp: {@code WarpShuffle}.
 * </ul>
 */
package io.sparkstencil.kernels.codegen;
