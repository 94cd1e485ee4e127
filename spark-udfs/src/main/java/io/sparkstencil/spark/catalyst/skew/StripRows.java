/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.skew;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.util.CollectionAccumulator;
import scala.Option;

/**
 * Counts the rows that map tasks write to each partition. Counts come back as each task finishes;
 * of attempts of the same task, which count the same, one is taken.
 */
final class StripRows {
  /** What one task counted. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Counted(int map, long[] rows) implements Serializable {}

  private final CollectionAccumulator<Counted> found = new CollectionAccumulator<>();
  private final int partitions;

  StripRows(SparkContext context, int partitions) {
    this.partitions = partitions;
    found.register(context, Option.empty(), false);
  }

  /** Returns what makes the counter of each task. */
  Counters counters() {
    return new Counters(found, partitions);
  }

  /** Returns the rows of each partition, once all tasks have run. */
  long[] all() {
    Map<Integer, long[]> byMap = new LinkedHashMap<>();
    found.value().forEach(each -> byMap.putIfAbsent(each.map(), each.rows()));
    long[] sums = new long[partitions];
    for (long[] rows : byMap.values()) {
      for (int i = 0; i < partitions; i++) {
        sums[i] += rows[i];
      }
    }
    return sums;
  }

  /** Makes the counters of tasks. */
  record Counters(CollectionAccumulator<Counted> target, int partitions) implements Serializable {
    Counter counter(int map) {
      return new Counter(map, partitions, target);
    }
  }

  /** Counts the rows of one map task. */
  static final class Counter {
    private final int map;
    private final long[] rows;
    private final CollectionAccumulator<Counted> target;

    private Counter(int map, int partitions, CollectionAccumulator<Counted> target) {
      this.map = map;
      this.rows = new long[partitions];
      this.target = target;
    }

    /** Counts rows by their partitions. */
    void add(int[] partitions, int count) {
      for (int i = 0; i < count; i++) {
        rows[partitions[i]]++;
      }
    }

    /** Gives the counts away. */
    void finish() {
      target.add(new Counted(map, rows));
    }
  }
}
