/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Kernels of stencil programs. */
package io.sparkstencil.kernels.codegen.program;
