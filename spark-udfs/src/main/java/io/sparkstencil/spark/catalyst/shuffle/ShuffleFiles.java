/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.spark.Dependency;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.DeterministicLevel;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Owns the files of shuffles: they go when the last run of a query that reads them ends, without
 * waiting for the garbage collector. They stay where cached rows would be computed from them. A
 * plan that runs again after that has Spark write them anew.
 */
public final class ShuffleFiles extends SparkListener {
  private static final Map<SparkContext, ShuffleFiles> BY_CONTEXT = new HashMap<>();

  private final SparkContext context;
  // By shuffle, the runs that read it. A shuffle that nobody can read any more is Spark's to clean.
  private final Map<ShuffleDependency<?, ?, ?>, Set<String>> readers = new WeakHashMap<>();

  private ShuffleFiles(SparkContext context) {
    this.context = context;
  }

  /** Owns the files of a shuffle that the current run of a query is about to write, if any runs. */
  public static void own(SparkContext context, ShuffleDependency<?, ?, ?> shuffle) {
    String run = context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY());
    boolean sameAgain =
        !shuffle.rdd().outputDeterministicLevel().equals(DeterministicLevel.INDETERMINATE());
    if (run != null && sameAgain) {
      of(context).read(shuffle, run);
    }
  }

  private static ShuffleFiles of(SparkContext context) {
    synchronized (BY_CONTEXT) {
      return BY_CONTEXT.computeIfAbsent(
          context,
          unknown -> {
            ShuffleFiles files = new ShuffleFiles(context);
            context.addSparkListener(files);
            return files;
          });
    }
  }

  private synchronized void read(ShuffleDependency<?, ?, ?> shuffle, String run) {
    readers.computeIfAbsent(shuffle, unknown -> new HashSet<>()).add(run);
  }

  @Override
  public synchronized void onJobStart(SparkListenerJobStart job) {
    Object run =
        job.properties() == null ? null : job.properties().get(SQLExecution.EXECUTION_ID_KEY());
    if (run == null || readers.isEmpty()) {
      return;
    }
    Set<Object> read = new HashSet<>();
    for (StageInfo stage : ScalaInterop.list(job.stageInfos())) {
      if (stage.shuffleDepId().isDefined()) {
        read.add(stage.shuffleDepId().get());
      }
    }
    readers.forEach(
        (shuffle, runs) -> {
          if (read.contains(shuffle.shuffleId())) {
            runs.add((String) run);
          }
        });
  }

  @Override
  public synchronized void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionEnd end) {
      String run = String.valueOf(end.executionId());
      readers.forEach(
          (shuffle, runs) -> {
            if (runs.remove(run) && runs.isEmpty() && !isBelowCached(shuffle)) {
              if (context.cleaner().isDefined()) {
                context.cleaner().get().doCleanupShuffle(shuffle.shuffleId(), false);
              }
            }
          });
    }
  }

  @Override
  public void onApplicationEnd(SparkListenerApplicationEnd end) {
    synchronized (BY_CONTEXT) {
      BY_CONTEXT.remove(context);
    }
  }

  /** Tells whether rows are cached, or are to be, that would be computed from a shuffle. */
  private boolean isBelowCached(ShuffleDependency<?, ?, ?> shuffle) {
    Deque<RDD<?>> open =
        new ArrayDeque<>(CollectionConverters.asJava(context.getPersistentRDDs()).values());
    Set<RDD<?>> seen = new HashSet<>(open);
    while (!open.isEmpty()) {
      for (Dependency<?> each : ScalaInterop.list(open.pop().dependencies())) {
        if (each == shuffle) {
          return true;
        }
        if (seen.add(each.rdd())) {
          open.push(each.rdd());
        }
      }
    }
    return false;
  }
}
