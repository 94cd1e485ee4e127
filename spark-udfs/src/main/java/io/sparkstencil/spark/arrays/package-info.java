/**
 * Stencils over arrays: each array is a series of its own, many arrays share a launch. Imports the
 * core and Spark's memory access; never Catalyst.
 */
package io.sparkstencil.spark.arrays;
