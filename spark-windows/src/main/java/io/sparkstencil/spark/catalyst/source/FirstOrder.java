/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.series.OrderKey;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.series.WordBatch;

/** The first column of an order as numbers in this order. */
final class FirstOrder {
  private final OrderKey key;
  private long[] numbers = new long[0];

  FirstOrder(SeriesLayout layout) {
    this.key = layout.order().get(0);
  }

  /** Returns a number for each row of a batch, the least or the greatest one for a null. */
  long[] read(WordBatch batch) {
    int rows = batch.rows();
    if (numbers.length < rows) {
      numbers = new long[rows];
    }
    key.read(batch.values(key.field()), rows, numbers);
    if (batch.nulls(key.field() / Long.SIZE) != null) {
      for (int i = 0; i < rows; i++) {
        if (batch.isNull(key.field(), i)) {
          numbers[i] = key.nullsFirst() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
      }
    }
    return numbers;
  }
}
