/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.jdk.javaapi.CollectionConverters;

/** Adds up where tasks spend their time. Safe for Spark's listener thread and one reader. */
final class TaskTimes extends SparkListener {
  /**
   * Nanoseconds of tasks.
   *
   * @param run in which they ran
   * @param engine in which they submitted to engines and waited for them
   */
  record Shares(long run, long engine) {
    static final Shares NONE = new Shares(0, 0);

    Shares plus(Shares other) {
      return new Shares(run + other.run, engine + other.engine);
    }

    double inEngine() {
      return run == 0 ? 0 : (double) engine / run;
    }
  }

  private static final long MOST_MILLIS = 10_000;

  private Shares shares = Shares.NONE;

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    long engine = 0;
    for (AccumulableInfo value : CollectionConverters.asJava(end.taskInfo().accumulables())) {
      boolean ours = value.name().isDefined() && value.name().get().equals("stencil time");
      if (ours && value.update().isDefined()) {
        engine += Long.parseLong(value.update().get().toString());
      }
    }
    shares = shares.plus(new Shares(end.taskMetrics().executorRunTime() * 1_000_000, engine));
  }

  /** Returns the times of the tasks since the last call, once their events have arrived. */
  Shares take(SparkContext context) {
    try {
      context.listenerBus().waitUntilEmpty(MOST_MILLIS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "events of tasks did not arrive within %d ms".formatted(MOST_MILLIS), e);
    }
    synchronized (this) {
      Shares taken = shares;
      shares = Shares.NONE;
      return taken;
    }
  }
}
