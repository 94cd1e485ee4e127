/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.EndedWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/** A query that is cancelled some time after it began. */
public final class CancelledQuery {
  /** What is in the stack of a thread that runs a task. */
  private static final String TASK = "org.apache.spark.executor.Executor$TaskRunner";

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private CancelledQuery() {}

  /** Cancels a job, however long that takes: the first time, Spark loads the classes for it. */
  public static void warmUp(SparkSession spark) throws InterruptedException {
    SparkContext context = spark.sparkContext();
    Thread job =
        new Thread(
            () -> {
              context.setJobGroup("first", "to be cancelled", false);
              spark.range(0, Long.MAX_VALUE, 1, 1).filter("id < 0").collectAsList();
            });
    job.setUncaughtExceptionHandler((thread, cancelled) -> {});
    job.start();
    while (job.isAlive()) {
      context.cancelJobGroup("first");
      Thread.sleep(20);
    }
  }

  /**
   * Begins a query in a thread of its own, cancels its jobs, and requires that the thread and all
   * tasks are gone a second later.
   *
   * @param afterMillis when it is cancelled, after its first task has begun
   * @param interrupts whether Spark interrupts the threads of its tasks
   * @return whether the query had ended before
   */
  public static boolean requireEndsSoon(
      SparkSession spark, Callable<?> query, long afterMillis, boolean interrupts)
      throws InterruptedException {
    String group = "cancelled-" + NUMBERS.incrementAndGet();
    AtomicReference<Thread> caller = new AtomicReference<>();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<?> running =
          threads.submit(
              () -> {
                caller.set(Thread.currentThread());
                spark.sparkContext().setJobGroup(group, "to be cancelled", interrupts);
                return query.call();
              });
      while (!running.isDone() && left().isEmpty()) {
        Thread.sleep(1); // until Spark has planned it
      }
      Thread.sleep(afterMillis);
      boolean ended = running.isDone();
      long deadline = System.nanoTime() + EndedWork.soonMillis() * 1_000_000;
      List<String> left = new ArrayList<>();
      do {
        spark.sparkContext().cancelJobGroup(group); // jobs may follow one another
        Thread.sleep(5);
        left = left();
      } while (!(left.isEmpty() && running.isDone()) && System.nanoTime() < deadline);
      if (!running.isDone()) {
        left.add("the query's thread at " + List.of(caller.get().getStackTrace()));
      }
      assertThat(left).as("what still runs a second after it was cancelled").isEmpty();
      return ended;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns the tasks that run. */
  private static List<String> left() {
    List<String> left = new ArrayList<>();
    for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
      boolean works =
          List.of(each.getValue()).stream().anyMatch(frame -> frame.getClassName().equals(TASK));
      if (works) {
        left.add(each.getKey().getName() + " at " + List.of(each.getValue()));
      }
    }
    return left;
  }
}
