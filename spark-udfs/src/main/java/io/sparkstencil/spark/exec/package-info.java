/** Rows of a task on their way through the pipelines: what is staged, chunks, engines. No Spark. */
package io.sparkstencil.spark.exec;
