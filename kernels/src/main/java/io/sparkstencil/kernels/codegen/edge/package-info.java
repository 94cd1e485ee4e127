/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Kernels that correct the outputs near a piece's ends, whose frames touch missing cells. */
package io.sparkstencil.kernels.codegen.edge;
