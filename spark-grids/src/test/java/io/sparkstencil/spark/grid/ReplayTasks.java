/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.jdk.javaapi.CollectionConverters;

/** Which executors have run the tasks that take supersteps again. */
final class ReplayTasks extends SparkListener {
  private final String suffix;
  private final Set<Object> stages = new HashSet<>();
  private final Map<String, Integer> tasks = new HashMap<>();
  private final AtomicReference<Runnable> deed = new AtomicReference<>();
  private int moment;

  /**
   * Prepares to hear of jobs.
   *
   * @param lost the blocks that are lost: jobs over so many bring them back
   */
  ReplayTasks(int lost) {
    suffix = ": %d blocks".formatted(lost);
  }

  /** Has something done when one of these jobs begins. */
  synchronized void atJob(int number, Runnable what) {
    moment = number;
    deed.set(what);
  }

  /** Returns how many of these jobs there were. */
  synchronized int jobs() {
    return stages.size();
  }

  /** Returns the tasks of these jobs, by executors. */
  synchronized Map<String, Integer> byExecutor() {
    return Map.copyOf(tasks);
  }

  @Override
  public synchronized void onJobStart(SparkListenerJobStart event) {
    String what = event.properties().getProperty("spark.job.description", "");
    if (what.endsWith(suffix)) {
      stages.addAll(CollectionConverters.asJava(event.stageIds()));
      Runnable due = stages.size() == moment ? deed.getAndSet(null) : null;
      if (due != null) {
        due.run();
      }
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd event) {
    if (stages.contains(event.stageId())) {
      tasks.merge(event.taskInfo().executorId(), 1, Integer::sum);
    }
  }
}
