/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.order.RowOrder;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;

/** Ranges of an integral key, in ascending order; null keys lie in the first. */
public final class KeyRanges implements Serializable {
  private static final long serialVersionUID = 1L;

  private final long[] last; // greatest key of each range but the last

  private KeyRanges(long[] last) {
    this.last = last;
  }

  private record Weighted(long key, double rows) {}

  /**
   * Samples the keys of rows, which is a job, and cuts them into ranges.
   *
   * @param most the most ranges
   * @param samples keys to sample for each of them, about
   */
  public static KeyRanges of(RDD<InternalRow> rows, RowOrder order, int most, int samples) {
    long wanted = Math.min(3L * samples * most, 3_000_000);
    int each = (int) Math.max(64, wanted / Math.max(1, rows.getNumPartitions()));
    return of(KeySample.of(rows, order, each), most);
  }

  /** Cuts the keys into up to {@code most} ranges of about the same number of rows. */
  public static KeyRanges of(KeySample[] samples, int most) {
    List<Weighted> keys = new ArrayList<>();
    double rows = 0;
    for (KeySample sample : samples) {
      double each = (double) sample.rows() / Math.max(1, sample.keys().length);
      for (long key : sample.keys()) {
        keys.add(new Weighted(key, each));
      }
      rows += sample.rows();
    }
    keys.sort(Comparator.comparingLong(Weighted::key));
    long[] last = new long[Math.max(0, most - 1)];
    int cuts = 0;
    double below = 0;
    for (Weighted key : keys) {
      below += key.rows();
      boolean due = cuts < last.length && below >= rows / most * (cuts + 1);
      if (due && (cuts == 0 || key.key() > last[cuts - 1])) {
        last[cuts++] = key.key();
      }
    }
    return new KeyRanges(Arrays.copyOf(last, cuts));
  }

  int count() {
    return last.length + 1;
  }

  /** Returns the range of a key. */
  int indexOf(long key) {
    int found = Arrays.binarySearch(last, key);
    return found < 0 ? -found - 1 : found;
  }
}
