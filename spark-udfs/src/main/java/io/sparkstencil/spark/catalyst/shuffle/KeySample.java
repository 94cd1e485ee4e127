/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.RowOrder;
import java.io.Serializable;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.Iterator;

/**
 * Integral keys of some rows of a partition, each row as likely as any other.
 *
 * @param rows the rows of the partition that have a key
 * @param keys the keys of the sampled rows, in no order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeySample(long rows, long[] keys) implements Serializable {

  /** Takes up to {@code most} keys from each partition; reads all rows and copies none. */
  static KeySample[] of(RDD<InternalRow> rows, RowOrder order, int most) {
    PartitionEvaluatorFactory<InternalRow, KeySample> factory =
        () ->
            (index, inputs) ->
                ScalaInterop.seqOf(sample(inputs.apply(0), order, most, index)).iterator();
    return (KeySample[])
        rows.mapPartitionsWithEvaluator(factory, ScalaInterop.tag(KeySample.class)).collect();
  }

  /**
   * Samples by skipping: how many rows pass until the next one enters the reservoir is drawn at
   * once (Li, Reservoir-sampling algorithms of time complexity O(n(1 + log(N/n))), 1994).
   */
  private static KeySample sample(
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
    return new KeySample(seen, seen < most ? Arrays.copyOf(kept, (int) seen) : kept);
  }

  private static long skip(SplittableRandom random, double weight) {
    return (long) Math.floor(Math.log(random.nextDouble()) / Math.log1p(-weight));
  }
}
