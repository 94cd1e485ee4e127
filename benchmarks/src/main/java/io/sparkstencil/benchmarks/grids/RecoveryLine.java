/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;

/** What Spark did, and when, since an executor was killed: removals, arrivals and jobs. */
final class RecoveryLine extends SparkListener {
  private static final String DESCRIPTION = "spark.job.description";

  /** A job, in milliseconds since 1970. */
  private record Job(String what, long start, long end) {}

  private final Map<Integer, Job> open = new HashMap<>();
  private final List<Job> jobs = new ArrayList<>();
  private long killed;
  private long removed;
  private long added;

  /** Begins anew at the moment at which an executor is killed. */
  synchronized void kill() {
    killed = System.currentTimeMillis();
    removed = 0;
    added = 0;
    jobs.clear();
  }

  @Override
  public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    removed = removed == 0 ? event.time() : removed;
  }

  @Override
  public synchronized void onExecutorAdded(SparkListenerExecutorAdded event) {
    added = added == 0 ? event.time() : added;
  }

  @Override
  public synchronized void onJobStart(SparkListenerJobStart event) {
    String what = event.properties().getProperty(DESCRIPTION, "faces within reach");
    open.put(event.jobId(), new Job(what, event.time(), 0));
  }

  @Override
  public synchronized void onJobEnd(SparkListenerJobEnd event) {
    Job job = open.remove(event.jobId());
    if (job != null && killed != 0) {
      jobs.add(new Job(job.what(), job.start(), event.time()));
    }
  }

  /**
   * Says in seconds since the signal when Spark knew of it, when the jobs that brought blocks back
   * began and ended, how much of that time was in none of them, and when all blocks went on.
   *
   * @param all what is at the end of the description of a job over all blocks
   */
  synchronized String text(String all) {
    List<Job> back = new ArrayList<>();
    double again = Double.NaN;
    for (Job job : jobs) {
      boolean ofAll = job.what().endsWith(all); // the first one finds blocks lost
      if (ofAll && !back.isEmpty()) {
        again = since(job.start());
        break;
      } else if (!ofAll && job.start() >= killed) {
        back.add(job);
      }
    }
    if (back.isEmpty()) {
      return "no job brought blocks back";
    }
    Job first = back.get(0);
    Job last = back.get(back.size() - 1);
    double busy = back.stream().mapToDouble(job -> 1e-3 * (job.end() - job.start())).sum();
    return "seconds from the signal: %.2f until Spark removed the executor, %.2f and %.2f when the first of %d jobs that brought blocks back began and the last ended, %.2f of them between jobs, %.2f when all blocks went on, %.2f when the next executor was there"
        .formatted(
            since(removed),
            since(first.start()),
            since(last.end()),
            back.size(),
            since(last.end()) - since(first.start()) - busy,
            again,
            since(added));
  }

  private double since(long millis) {
    return millis == 0 ? Double.NaN : 1e-3 * (millis - killed);
  }
}
