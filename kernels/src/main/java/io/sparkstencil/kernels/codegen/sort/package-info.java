/** Kernels that sort rows by a packed key: a stable radix sort, digit by digit. */
package io.sparkstencil.kernels.codegen.sort;
