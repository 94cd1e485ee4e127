/**
 * Measured schedules: timing launches, searching for the fastest variant on the device at hand, and
 * keeping what was found. Imports launch, cuda, codegen and variant.
 */
package io.sparkstencil.kernels.tuning;
