/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.TaskContext;

/**
 * Who asks the runtime for something.
 *
 * @param context the task, or null outside of tasks
 * @param task the task's attempt; outside of tasks a number below 0 that is not shared
 * @param addresses the GPUs that Spark has given to the task
 */
record Caller(TaskContext context, long task, List<String> addresses) {
  private static final AtomicLong OUTSIDE = new AtomicLong(-1);

  /** Returns the calling task, or who calls outside of tasks. */
  static Caller current() {
    TaskContext context = TaskContext.get();
    return context == null
        ? new Caller(null, OUTSIDE.getAndDecrement(), List.of())
        : new Caller(context, context.taskAttemptId(), RuntimeSetup.gpus(context.resourcesJMap()));
  }
}
