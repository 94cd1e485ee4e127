/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import java.io.Serializable;
import java.util.stream.IntStream;

/**
 * How many rows a map task has written to strips, most of which get none of a task that has read
 * rows of few series.
 *
 * @param strips those that got rows
 * @param rows how many each got
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StripRows(int[] strips, long[] rows) implements Serializable {
  /**
   * Returns what is more than none.
   *
   * @param counts the rows of all strips
   */
  static StripRows of(long[] counts) {
    int[] strips = IntStream.range(0, counts.length).filter(i -> counts[i] > 0).toArray();
    return new StripRows(strips, IntStream.of(strips).mapToLong(i -> counts[i]).toArray());
  }

  /** Adds these rows to those of all strips. */
  void addTo(long[] counts) {
    for (int i = 0; i < strips.length; i++) {
      counts[strips[i]] += rows[i];
    }
  }
}
