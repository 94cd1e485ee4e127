/**
 * The CUDA driver: one class per kind of handle, each with one owner. The only package that imports
 * {@code jcuda}; nobody outside sees its types. Kernels come in as PTX text, addresses go out as
 * {@code long}.
 */
package io.sparkstencil.cuda;
