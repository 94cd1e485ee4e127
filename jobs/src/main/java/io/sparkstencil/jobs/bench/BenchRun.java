/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.bench;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;

/**
 * Times workloads by contenders. The first run of each is not timed: its result is compared with
 * that of Spark, bit for bit.
 *
 * @param session where queries run
 * @param rows of each query
 * @param seconds for all timed runs together; there is one of each even if they are over
 * @param progress takes a line for each timing
 */
record BenchRun(SparkSession session, long rows, double seconds, PrintWriter progress) {
  private static final int MOST_RUNS = 5;

  /**
   * Runs all workloads.
   *
   * @throws StencilException if a contender's results differ from those of the first
   */
  List<Timing> run(List<Contender> contenders) {
    List<Timing> timings = new ArrayList<>();
    for (Workload workload : Workload.values()) {
      Object expected = null;
      for (Contender contender : contenders) {
        Object digest = as(contender, () -> digest(workload));
        expected = expected == null ? digest : expected;
        requireSame(workload, contender, expected, digest);
      }
      timings.addAll(time(workload, contenders));
    }
    return timings;
  }

  /** Times contenders in turns, so that what else a machine does falls on all of them. */
  private List<Timing> time(Workload workload, List<Contender> contenders) {
    Map<Contender, List<Double>> times = new LinkedHashMap<>();
    contenders.forEach(contender -> times.put(contender, new ArrayList<>()));
    double left = seconds / Workload.values().length;
    for (int turn = 0; turn == 0 || (left > 0 && turn < MOST_RUNS); turn++) {
      for (Contender contender : contenders) {
        double taken = as(contender, () -> seconds(workload));
        times.get(contender).add(taken);
        left -= taken;
      }
    }
    List<Timing> timings = new ArrayList<>();
    times.forEach(
        (contender, taken) -> {
          Timing timing = new Timing(workload, contender.name(), taken);
          timings.add(timing);
          progress.printf(
              Locale.ROOT,
              "%-28s %-6s %8.3f s%n",
              workload.title(),
              contender.name(),
              timing.median());
        });
    progress.flush();
    return timings;
  }

  private double seconds(Workload workload) {
    long start = System.nanoTime();
    digest(workload);
    return (System.nanoTime() - start) / 1e9;
  }

  private <T> T as(Contender contender, Supplier<T> work) {
    List<Optional<String>> before = set(contender);
    try {
      return work.get();
    } finally {
      restore(contender, before);
    }
  }

  private Object digest(Workload workload) {
    return session.sql(workload.query(rows)).head().get(0);
  }

  /** Requires equal digests. */
  static void requireSame(Workload workload, Contender contender, Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new StencilException(
          ErrorCode.INTERNAL,
          "%s: results of %s differ from those of Spark (digest %s, not %s); report this with the output of bin/stencil doctor --json"
              .formatted(workload.title(), contender.name(), found, expected));
    }
  }

  private List<Optional<String>> set(Contender contender) {
    List<Optional<String>> before = new ArrayList<>();
    new TreeMap<>(contender.settings())
        .forEach(
            (key, value) -> {
              before.add(Optional.ofNullable(session.conf().get(key, null)));
              session.conf().set(key, value);
            });
    return before;
  }

  private void restore(Contender contender, List<Optional<String>> before) {
    int at = 0;
    for (String key : new TreeMap<>(contender.settings()).keySet()) {
      Optional<String> value = before.get(at++);
      value.ifPresentOrElse(
          earlier -> session.conf().set(key, earlier), () -> session.conf().unset(key));
    }
  }
}
