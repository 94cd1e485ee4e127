/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Writing PTX, line by line, with typed registers. Imports nothing of the project.
 *
 * <ul>
 *   <li>To write: {@code PtxWriter}; the text says by a {@code PtxTarget} where it runs.
 *   <li>To name operands: an {@code Operand} is a {@code Register} of some {@code PtxType}, a
 *       {@code RegisterVector}, a {@code Literal}, a {@code Symbol} or an {@code Address}.
 * </ul>
 */
package io.sparkstencil.kernels.ptx;
