/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Kernels over the flat staged array, one output per whole frame: all stagings and reduction forms,
 * the textbook kernels among them.
 *
 * <ul>
 *   <li>To generate: {@code KernelGenerator} is the way in; {@code WindowKernel} has what all these
 *       kernels share.
 *   <li>To load: {@code GlobalWindow} straight from global memory; {@code TileFill} into a {@code
 *       SharedTile} of some {@code TileShape}.
 *   <li>To reduce: a form each: {@code LoopForm}, {@code SharedCoreForm}, {@code BlockCoreForm},
 *       {@code TensorCoreForm}; in registers of a warp {@code BlockedRegisterKernel} and {@code
 *       RoundRobinRegisterKernel}.
 *   <li>To reduce across threads: {@code BlockScan}, {@code CoreReduction}, {@code TotalsRow}.
 *   <li>To weigh: {@code Weighting}.
 *   <li>To store: {@code OutputStore}.
 * </ul>
 */
package io.sparkstencil.kernels.codegen.window;
