/**
 * Kernels over the flat staged array, one output per whole frame: all stagings and reduction forms,
 * the textbook kernels among them. {@code KernelGenerator} is the way in.
 */
package io.sparkstencil.kernels.codegen.window;
