/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/** What is to happen when a Spark task ends. */
public final class TaskHooks {
  private TaskHooks() {}

  /** Runs {@code action} when the task has succeeded, failed or been killed. */
  public static void onCompletion(TaskContext context, Runnable action) {
    context.addTaskCompletionListener((TaskCompletionListener) ended -> action.run());
  }
}
