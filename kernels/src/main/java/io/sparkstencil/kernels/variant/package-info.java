/**
 * Kernel variants as values: what is computed, how, and where it may run; choosing a schedule; the
 * space that tuning searches. Imports the model and {@code ptx.PtxTarget}; never needs a device.
 */
package io.sparkstencil.kernels.variant;
