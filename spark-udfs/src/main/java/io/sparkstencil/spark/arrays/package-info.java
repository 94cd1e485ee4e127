/**
 * Stencils over arrays: each array is a series of its own, many arrays share a launch. Holds the
 * RDD API; what array functions are to Catalyst is in {@code spark.catalyst.arrays}.
 */
package io.sparkstencil.spark.arrays;
