/**
 * What all kernel generators share: cells in registers and their arithmetic, how PTX spells element
 * types, shuffles, the table of pieces, and the finished text with its parameters. Imports variant,
 * ptx and the model; never needs a device.
 */
package io.sparkstencil.kernels.codegen;
