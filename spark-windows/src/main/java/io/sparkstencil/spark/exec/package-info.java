/** Rows and blocks on their way through the pipeline: what is staged, and in which chunks. */
package io.sparkstencil.spark.exec;
