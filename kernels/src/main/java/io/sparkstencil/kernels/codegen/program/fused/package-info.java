/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Chooses the kernels of several steps of a program. */
package io.sparkstencil.kernels.codegen.program.fused;
