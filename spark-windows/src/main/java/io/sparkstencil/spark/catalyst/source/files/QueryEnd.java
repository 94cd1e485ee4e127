/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;

/**
 * Gives the memory of an RDD back when the SQL query that it is made for ends. It knows the RDD by
 * its number, so that Spark still cleans up after it should the event be lost.
 */
final class QueryEnd extends SparkListener {
  private final SparkContext context;
  private final int kept;
  private final String execution;

  private QueryEnd(SparkContext context, int kept, String execution) {
    this.context = context;
    this.kept = kept;
    this.execution = execution;
  }

  /**
   * Unpersists an RDD at the end of the query.
   *
   * @param execution the id of the query
   */
  static void unpersist(SparkContext context, RDD<?> kept, String execution) {
    context.addSparkListener(new QueryEnd(context, kept.id(), execution));
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionEnd end
        && execution.equals(Long.toString(end.executionId()))) {
      context.unpersistRDD(kept, false);
      context.removeSparkListener(this);
    }
  }
}
