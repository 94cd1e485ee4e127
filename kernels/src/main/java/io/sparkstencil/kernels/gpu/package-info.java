/**
 * The GPU engine: staged batches go to the device, through kernels and back on streams. Imports
 * cuda, codegen, launch, tuning, variant and core; knows nothing of Spark.
 */
package io.sparkstencil.kernels.gpu;
