/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.edges;

import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;

/** Gives the memory of an RDD back when the SQL query that it is made for ends. */
final class QueryEnd extends SparkListener {
  private final SparkContext context;
  private final RDD<?> kept;
  private final String execution;

  private QueryEnd(SparkContext context, RDD<?> kept, String execution) {
    this.context = context;
    this.kept = kept;
    this.execution = execution;
  }

  /**
   * Unpersists an RDD at the end of the query.
   *
   * @param execution the id of the query; outside of one it is null, and Spark cleans up after an
   *     RDD that nobody holds any more
   */
  static void unpersist(SparkContext context, RDD<?> kept, String execution) {
    if (execution != null) {
      context.addSparkListener(new QueryEnd(context, kept, execution));
    }
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionEnd end
        && execution.equals(Long.toString(end.executionId()))) {
      kept.unpersist(false);
      context.removeSparkListener(this);
    }
  }
}
