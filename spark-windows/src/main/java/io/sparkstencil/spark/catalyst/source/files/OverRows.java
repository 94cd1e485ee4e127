/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import org.apache.spark.sql.execution.SparkPlan;

/** An operator over columns that stands for one of Spark's over rows. */
public interface OverRows {
  /** Returns Spark's operator over the rows of the child. */
  SparkPlan overRows();
}
