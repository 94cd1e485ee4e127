/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.error.Cancellation;
import org.apache.spark.TaskContext;

/**
 * Ends the work of tasks that Spark has killed, which their contexts say: before Spark interrupts a
 * thread, and where it does not.
 */
public final class TaskCancellation implements Cancellation.Source {
  @Override
  public Runnable question() {
    TaskContext context = TaskContext.get();
    return context == null ? null : context::killTaskIfInterrupted;
  }

  @Override
  public boolean ask() {
    TaskContext context = TaskContext.get();
    if (context == null) {
      return false;
    }
    context.killTaskIfInterrupted();
    return true;
  }
}
