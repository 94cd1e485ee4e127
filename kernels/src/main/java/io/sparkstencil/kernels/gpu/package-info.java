/**
 * The GPU engine: staged batches go to the device, through kernels and back on streams. Imports
 * cuda, codegen, variant and core; knows nothing of Spark.
 */
package io.sparkstencil.kernels.gpu;
