/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.KeyRanges;
import io.sparkstencil.spark.catalyst.shuffle.OpenRows;
import io.sparkstencil.spark.catalyst.shuffle.RangeFinder;

/** Sends rows to ranges of their order, that of one column, and has something found on the way. */
public final class RangeRouter implements ColumnRouter {
  private final OrderKey key;
  private final long[] last;
  private final int ofNulls;
  private final RangeFinder.InTask finder;
  private long[] numbers = new long[0];

  /** Creates the router of a map task for rows that are ordered by one column. */
  public RangeRouter(SeriesLayout layout, KeyRanges ranges, RangeFinder.InTask finder) {
    this.key = layout.order().get(0);
    this.last = ranges.last();
    this.ofNulls = key.nullsFirst() ? 0 : last.length;
    this.finder = finder;
  }

  @Override
  public void route(WordBatch batch, int[] targets) {
    int rows = batch.rows();
    long[] words = batch.values(key.field());
    if (!key.isNumber()) {
      if (numbers.length < rows) {
        numbers = new long[rows];
      }
      key.read(words, rows, numbers);
      words = numbers;
    }
    for (int i = 0; i < rows; i++) {
      targets[i] = KeyRanges.indexOf(last, words[i]);
    }
    if (batch.nulls(key.field() / Long.SIZE) != null) {
      for (int i = 0; i < rows; i++) {
        targets[i] = batch.isNull(key.field(), i) ? ofNulls : targets[i];
      }
    }
  }

  @Override
  public void writes(int partition, OpenRows rows) {
    finder.writes(partition, rows);
  }

  @Override
  public void finish() {
    finder.finish();
  }
}
