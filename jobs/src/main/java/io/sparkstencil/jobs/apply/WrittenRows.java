/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Counts the rows that tasks have written to files. */
final class WrittenRows extends SparkListener {
  private final AtomicLong rows = new AtomicLong();

  @Override
  public void onTaskEnd(SparkListenerTaskEnd task) {
    if (task.taskInfo().successful() && task.taskMetrics() != null) {
      rows.addAndGet(task.taskMetrics().outputMetrics().recordsWritten());
    }
  }

  long count() {
    return rows.get();
  }
}
