/** Kernels that correct the outputs near a piece's ends, whose frames touch missing cells. */
package io.sparkstencil.kernels.codegen.edge;
