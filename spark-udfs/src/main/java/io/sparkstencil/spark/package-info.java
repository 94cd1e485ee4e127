/** Stencils over Spark's datasets and RDDs. */
package io.sparkstencil.spark;
