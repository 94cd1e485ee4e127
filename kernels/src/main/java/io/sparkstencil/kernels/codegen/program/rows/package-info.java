/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Kernels of several steps of two-dimensional programs, which stream along the rows. */
package io.sparkstencil.kernels.codegen.program.rows;
