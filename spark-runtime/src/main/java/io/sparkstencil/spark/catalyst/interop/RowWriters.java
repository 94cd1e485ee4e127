/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.datasources.WriteFilesExec;
import org.apache.spark.sql.execution.datasources.v2.V2ExistingTableWriteExec;

/**
 * Spark's own writers of tables that ask a row for its values, whatever kind of row it is, and keep
 * none. Other operators, and writers of others, may expect Spark's binary rows.
 */
public final class RowWriters {
  private static final String SPARKS_OWN = "org.apache.spark.sql.execution.datasources.";
  private static final TreeNodeTag<Boolean> WRITTEN = new TreeNodeTag<>("stencil.written");

  private RowWriters() {}

  /** Tells whether an operator hands the rows of its child to such a writer. */
  public static boolean isWriter(SparkPlan plan) {
    if (plan instanceof WriteFilesExec files) {
      // Rows for several folders may be sorted, as binary rows.
      return files.partitionColumns().isEmpty()
          && files.bucketSpec().isEmpty()
          && isSparksOwn(files.fileFormat());
    }
    return plan instanceof V2ExistingTableWriteExec table && isSparksOwn(table.write());
  }

  private static boolean isSparksOwn(Object writer) {
    return writer.getClass().getName().startsWith(SPARKS_OWN);
  }

  /**
   * Marks the top of a plan that is executed adaptively, and is not rewritten yet, as what such a
   * writer reads, if one is above it.
   */
  public static void mark(SparkPlan plan) {
    if (isWriter(plan) && plan.children().apply(0) instanceof AdaptiveSparkPlanExec adaptive) {
      adaptive.initialPlan().setTagValue(WRITTEN, true);
    }
  }

  /** Tells whether a plan has been marked. */
  public static boolean isMarked(SparkPlan top) {
    return top.getTagValue(WRITTEN).isDefined();
  }
}
