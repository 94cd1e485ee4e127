/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Kernels of several steps of one-dimensional programs. */
package io.sparkstencil.kernels.codegen.program.lines;
