/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Kernels of three-dimensional programs: blocks that stream along the planes. */
package io.sparkstencil.kernels.codegen.program.planes;
