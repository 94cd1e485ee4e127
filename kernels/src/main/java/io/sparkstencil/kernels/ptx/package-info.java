/** Writing PTX, line by line, with typed registers. Imports nothing of the project. */
package io.sparkstencil.kernels.ptx;
