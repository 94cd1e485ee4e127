/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Kernels that move cells and validity without computing: copies, halos, bits to bytes. */
package io.sparkstencil.kernels.codegen.move;
