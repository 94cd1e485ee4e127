/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.catalog.ExternalCatalog;

/** Looks for what a test class has left in a context that others use after it. */
final class SparkLeaks {
  /** What ends by itself has ended by then. */
  private static final long PATIENCE_MILLIS = 10_000;

  /** Threads that a process keeps for a while when they have nothing to do. */
  private static final Set<String> KEPT = Set.of("stencil-face", "stencil-checkpoint");

  private static final String DEFAULT = "default";

  private SparkLeaks() {}

  /** Drops tables, databases and what is cached; throws if more than that is left. */
  static void check(SparkSession session) throws InterruptedException {
    drop(session);
    long end = System.currentTimeMillis() + PATIENCE_MILLIS;
    List<String> left = left(session.sparkContext());
    while (!left.isEmpty() && System.currentTimeMillis() < end) {
      Thread.sleep(10);
      left = left(session.sparkContext());
    }
    if (!left.isEmpty()) {
      throw new AssertionError("the tests of this class have left " + String.join(", ", left));
    }
  }

  private static void drop(SparkSession session) {
    session.catalog().clearCache();
    ExternalCatalog catalog =
        ((org.apache.spark.sql.classic.SparkSession) session).sharedState().externalCatalog();
    for (String each : ScalaInterop.list(catalog.listDatabases())) {
      if (!each.equals(DEFAULT)) {
        catalog.dropDatabase(each, false, true);
      }
    }
    for (String each : ScalaInterop.list(catalog.listTables(DEFAULT))) {
      catalog.dropTable(DEFAULT, each, false, true);
    }
  }

  /** Returns what is left at this moment, in words. */
  static List<String> left(SparkContext context) {
    long bytes = SparkEnv.get().memoryManager().executionMemoryUsed();
    int rdds = context.getPersistentRDDs().size();
    Stream<String> threads =
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(
                name -> name.startsWith("stencil-") && KEPT.stream().noneMatch(name::startsWith))
            .map(name -> "the thread " + name);
    return Stream.concat(
            Stream.of(
                    bytes == 0 ? "" : bytes + " bytes of execution memory",
                    rdds == 0 ? "" : rdds + " kept RDDs")
                .filter(each -> !each.isEmpty()),
            threads)
        .toList();
  }
}
