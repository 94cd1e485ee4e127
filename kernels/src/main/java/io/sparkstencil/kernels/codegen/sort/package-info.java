/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Kernels that sort rows by a packed key: a stable radix sort, digit by digit.
 *
 * <ul>
 *   <li>To choose: {@code SortTask} lists the steps in their order, and generates the kernel of
 *       each.
 *   <li>To prepare: {@code UnpackKernel} takes rows apart, {@code NumberKernel} makes integers of
 *       floating-point keys, {@code PackKernel} packs keys.
 *   <li>To sort by a digit: {@code CountKernel}, {@code ScanKernel}, {@code ScatterKernel}; {@code
 *       RowCode} and {@code PrefixSum} write what they share.
 *   <li>To return columns in order: {@code SortGatherKernel}.
 * </ul>
 */
package io.sparkstencil.kernels.codegen.sort;
