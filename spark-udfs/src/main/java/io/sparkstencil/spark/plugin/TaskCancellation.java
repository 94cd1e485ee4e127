/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.error.Cancellation;
import org.apache.spark.TaskContext;

/** Ends the work of tasks that Spark has killed, which it tells threads by their contexts alone. */
public final class TaskCancellation implements Cancellation.Source {
  @Override
  public Runnable question() {
    TaskContext context = TaskContext.get();
    return context == null ? null : context::killTaskIfInterrupted;
  }

  @Override
  public void ask() {
    TaskContext context = TaskContext.get();
    if (context != null) {
      context.killTaskIfInterrupted();
    }
  }
}
