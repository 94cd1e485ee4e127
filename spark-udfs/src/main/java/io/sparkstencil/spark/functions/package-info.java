/**
 * The SQL functions on arrays: names, signatures, texts, and the same as columns of a Dataset. What
 * they are to Catalyst is in {@link io.sparkstencil.spark.catalyst.arrays}.
 */
package io.sparkstencil.spark.functions;
