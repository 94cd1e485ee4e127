/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.spark.catalyst.interop.TaskHooks;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;

/** The Spark task that asks for an engine, or, outside of tasks, its caller. */
final class TaskScope {
  private static final String RESOURCE = "gpu";
  private static final AtomicLong OUTSIDE = new AtomicLong(-1);

  private final TaskContext context;
  private final long id;

  private TaskScope(TaskContext context, long id) {
    this.context = context;
    this.id = id;
  }

  /** Returns the scope of the calling thread. */
  static TaskScope current() {
    TaskContext context = TaskContext.get();
    return new TaskScope(
        context, context == null ? OUTSIDE.getAndDecrement() : context.taskAttemptId());
  }

  /** Returns the task's attempt, which no other scope shares. */
  long id() {
    return id;
  }

  /** Throws if the task has been killed. */
  void checkpoint() {
    if (context != null) {
      context.killTaskIfInterrupted();
    }
  }

  /** Returns the addresses of the GPUs that Spark has assigned to the task; may be empty. */
  List<String> addresses() {
    ResourceInformation gpus = context == null ? null : context.resourcesJMap().get(RESOURCE);
    return gpus == null ? List.of() : Arrays.asList(gpus.addresses());
  }

  /** Calls {@code action} when the task ends, after everything that is registered later. */
  void onCompletion(Runnable action) {
    if (context != null) {
      TaskHooks.onCompletion(context, action);
    }
  }
}
