/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.shuffle.KeySampler.Sample;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Ranges of an order by one column, each of which has a word of a row; null keys lie in the first
 * or in the last.
 *
 * @param last the greatest number of each range but the last
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record KeyRanges(long[] last) implements Serializable {
  private record Weighted(long key, double rows) {}

  /**
   * Samples the keys of rows, which is a job, and cuts them into ranges.
   *
   * @param order an order for which {@link #isPossible}
   * @param most the most ranges
   * @param samples keys to sample for each of them, about
   */
  public static KeyRanges of(RDD<InternalRow> rows, RowOrder order, int most, int samples) {
    OrderNumber number = OrderNumber.of(order);
    int each = each(rows, most, samples);
    PartitionEvaluatorFactory<InternalRow, Sample> factory =
        () ->
            (index, inputs) ->
                ScalaInterop.seqOf(new KeySampler(number, each, index).ofRows(inputs.apply(0)))
                    .iterator();
    return of(
        TaskFindings.of(rows.mapPartitionsWithEvaluator(factory, ScalaInterop.tag(Sample.class))),
        most);
  }

  /** Does the same with columns. */
  public static KeyRanges ofColumns(
      RDD<ColumnarBatch> batches, RowOrder order, int most, int samples) {
    OrderNumber number = OrderNumber.of(order);
    DataType type = order.sortOrder().apply(0).child().dataType();
    int each = each(batches, most, samples);
    PartitionEvaluatorFactory<ColumnarBatch, Sample> factory =
        () ->
            (index, inputs) ->
                ScalaInterop.seqOf(
                        new KeySampler(number, each, index).ofBatches(inputs.apply(0), type))
                    .iterator();
    return of(
        TaskFindings.of(
            batches.mapPartitionsWithEvaluator(factory, ScalaInterop.tag(Sample.class))),
        most);
  }

  private static int each(RDD<?> rows, int most, int samples) {
    long wanted = Math.min(3L * samples * most, 3_000_000);
    return (int) Math.max(64, wanted / Math.max(1, rows.getNumPartitions()));
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

  /** Tells whether ranges of an order can be those of numbers. */
  public static boolean isPossible(RowOrder order) {
    OrderNumber number = OrderNumber.of(order);
    return number != null && number.isWhole();
  }

  /** Returns how many ranges there are. */
  public int count() {
    return last.length + 1;
  }

  /**
   * Returns the range of a number.
   *
   * @param last the greatest number of each range but the last
   */
  public static int indexOf(long[] last, long number) {
    int from = 0;
    for (int length = last.length; length > 0; ) { // without branches that cannot be foreseen
      int half = (length + 1) >>> 1;
      from = last[from + half - 1] < number ? from + half : from;
      length -= half;
    }
    return from;
  }
}
