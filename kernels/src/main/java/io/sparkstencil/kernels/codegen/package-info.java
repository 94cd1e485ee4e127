/**
 * Kernel generators: a variant in, PTX text and what a launch needs out. Imports variant, ptx and
 * the model; never needs a device.
 */
package io.sparkstencil.kernels.codegen;
