/**
 * Spark's SQL windows as stencils: which are taken over, and the plan of those. Logical windows go
 * in, physical plans come out; windows that stay with Spark are left alone.
 */
package io.sparkstencil.spark.catalyst.windows;
