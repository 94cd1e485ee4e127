/** Stencil programs over arrays: of RDDs, and of SQL's columns. */
package io.sparkstencil.spark.programs;
