/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.columns.ColumnValues;
import java.io.Serializable;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/**
 * Samples the numbers of the rows of a partition by skipping: how many rows pass until the next one
 * enters the reservoir is drawn at once (Li, Reservoir-sampling algorithms of time complexity O(n(1
 * + log(N/n))), 1994). Used by one thread.
 */
final class KeySampler {
  /**
   * Numbers of some rows of a partition, each row as likely as any other.
   *
   * @param rows the rows of the partition that have a key
   * @param keys the numbers of the sampled rows, in no order
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Sample(long rows, long[] keys) implements Serializable {}

  private final OrderNumber order;
  private final SplittableRandom random;
  private final long[] kept;
  private double weight;
  private long seen;
  private long next; // number of the next row that is taken

  /**
   * Creates a sampler of no rows.
   *
   * @param most how many rows are kept
   */
  KeySampler(OrderNumber order, int most, int seed) {
    this.order = order;
    this.random = new SplittableRandom(seed);
    this.kept = new long[most];
    this.weight = Math.exp(Math.log(random.nextDouble()) / most);
  }

  /** Samples rows. */
  Sample ofRows(Iterator<? extends InternalRow> rows) {
    while (rows.hasNext()) {
      InternalRow row = rows.next();
      if (order.isNull(row)) {
        continue;
      }
      if (seen == next) {
        take(order.ofValue((UnsafeRow) row));
      }
      seen++;
    }
    return sample();
  }

  /**
   * Samples the rows of batches.
   *
   * @param type of the order's column
   */
  Sample ofBatches(Iterator<ColumnarBatch> batches, DataType type) {
    long[] room = new long[0];
    while (batches.hasNext()) {
      ColumnarBatch batch = batches.next();
      int rows = batch.numRows();
      ColumnVector keys = batch.column(order.field());
      if (room.length < rows) {
        room = new long[rows];
      }
      long[] words = ColumnValues.words(keys, type, rows, room);
      boolean nulls = ColumnValues.mayHaveNulls(keys);
      for (int i = 0; i < rows; i++) {
        if (nulls && keys.isNullAt(i)) {
          continue;
        } else if (!nulls) {
          int passed = (int) Math.min(next - seen, rows - i);
          seen += passed;
          i += passed;
        }
        if (i < rows) {
          if (seen == next) {
            take(order.ofWord(words[i]));
          }
          seen++;
        }
      }
    }
    return sample();
  }

  private void take(long number) {
    int most = kept.length;
    if (seen < most) {
      kept[(int) seen] = number;
      next = seen + 1 == most ? most + skip() : seen + 1;
    } else {
      kept[random.nextInt(most)] = number;
      weight *= Math.exp(Math.log(random.nextDouble()) / most);
      next = seen + 1 + skip();
    }
  }

  private long skip() {
    return (long) Math.floor(Math.log(random.nextDouble()) / Math.log1p(-weight));
  }

  private Sample sample() {
    return new Sample(seen, seen < kept.length ? Arrays.copyOf(kept, (int) seen) : kept);
  }
}
