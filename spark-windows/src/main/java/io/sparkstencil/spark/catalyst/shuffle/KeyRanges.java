/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.Iterator;

/**
 * Ranges of an integral key, in ascending order; null keys lie in the first.
 *
 * @param last the greatest key of each range but the last
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record KeyRanges(long[] last) implements Serializable {
  private record Weighted(long key, double rows) {}

  /**
   * Integral keys of some rows of a partition, each row as likely as any other.
   *
   * @param rows the rows of the partition that have a key
   * @param keys the keys of the sampled rows, in no order
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Sample(long rows, long[] keys) implements Serializable {

    /** Takes up to {@code most} keys from each partition; reads all rows and copies none. */
    private static List<Sample> of(RDD<InternalRow> rows, RowOrder order, int most) {
      PartitionEvaluatorFactory<InternalRow, Sample> factory =
          () ->
              (index, inputs) ->
                  ScalaInterop.seqOf(sample(inputs.apply(0), order, most, index)).iterator();
      return TaskFindings.of(
          rows.mapPartitionsWithEvaluator(factory, ScalaInterop.tag(Sample.class)));
    }

    /**
     * Samples by skipping: how many rows pass until the next one enters the reservoir is drawn at
     * once (Li, Reservoir-sampling algorithms of time complexity O(n(1 + log(N/n))), 1994).
     */
    private static Sample sample(
        Iterator<? extends InternalRow> rows, RowOrder order, int most, int seed) {
      SplittableRandom random = new SplittableRandom(seed);
      long[] kept = new long[most];
      double weight = Math.exp(Math.log(random.nextDouble()) / most);
      long seen = 0;
      long next = most; // number of the next row that replaces another
      while (rows.hasNext()) {
        InternalRow row = rows.next();
        if (order.isIntegralNull(row)) {
          continue;
        }
        if (seen < most) {
          kept[(int) seen] = order.integralKey(row);
          next = seen + 1 == most ? most + skip(random, weight) : next;
        } else if (seen == next) {
          kept[random.nextInt(most)] = order.integralKey(row);
          weight *= Math.exp(Math.log(random.nextDouble()) / most);
          next = seen + 1 + skip(random, weight);
        }
        seen++;
      }
      return new Sample(seen, seen < most ? Arrays.copyOf(kept, (int) seen) : kept);
    }

    private static long skip(SplittableRandom random, double weight) {
      return (long) Math.floor(Math.log(random.nextDouble()) / Math.log1p(-weight));
    }
  }

  /**
   * Samples the keys of rows, which is a job, and cuts them into ranges.
   *
   * @param most the most ranges
   * @param samples keys to sample for each of them, about
   */
  public static KeyRanges of(RDD<InternalRow> rows, RowOrder order, int most, int samples) {
    long wanted = Math.min(3L * samples * most, 3_000_000);
    int each = (int) Math.max(64, wanted / Math.max(1, rows.getNumPartitions()));
    return of(Sample.of(rows, order, each), most);
  }

  /** Cuts the keys into up to {@code most} ranges of about the same number of rows. */
  private static KeyRanges of(List<Sample> samples, int most) {
    List<Weighted> keys = new ArrayList<>();
    double rows = 0;
    for (Sample sample : samples) {
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

  /** Returns how many ranges there are. */
  public int count() {
    return last.length + 1;
  }

  /** Returns what sends rows to the ranges of their keys. */
  public RowRouter.Factory routers(RowOrder order) {
    return map -> row -> order.isIntegralNull(row) ? 0 : indexOf(order.integralKey(row));
  }

  /** Returns the range of a key. */
  private int indexOf(long key) {
    int found = Arrays.binarySearch(last, key);
    return found < 0 ? -found - 1 : found;
  }
}
