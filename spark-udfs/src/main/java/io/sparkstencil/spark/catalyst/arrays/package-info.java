/**
 * The array functions as Catalyst sees them: expressions, the batched operator and the rule that
 * puts it in their place, and array data in Spark's own bytes. Of ours, imports {@code
 * spark.functions} and {@code spark.arrays}.
 */
package io.sparkstencil.spark.catalyst.arrays;
