/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;

/** Windows that share a frame between two bounds, and go through arrays of numbers. */
sealed interface CellFramePlan extends Serializable permits KeyFramePlan, RowFramePlan {
  /** Returns what is computed. */
  List<CellFunctionPlan> functions();

  /** Returns the columns of what is computed. */
  List<Attribute> results();

  /**
   * Returns the frame for the rows of a task.
   *
   * @param target where the values are written, from {@code ordinal} on
   */
  CellFrame start(SpecificInternalRow target, int ordinal);
}
