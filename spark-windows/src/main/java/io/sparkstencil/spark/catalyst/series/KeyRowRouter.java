/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.OpenRows;
import io.sparkstencil.spark.catalyst.shuffle.RangeFinder;
import java.util.function.ToIntFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Sends rows where rows of their order's columns go, and has something found on the way. */
public final class KeyRowRouter implements ColumnRouter {
  private final OrderKey[] keys;
  private final ToIntFunction<InternalRow> ranges;
  private final RangeFinder.InTask finder;
  private final UnsafeRow row;

  /**
   * Creates the router of a map task.
   *
   * @param ranges says where a row of the order's columns goes
   */
  public KeyRowRouter(
      SeriesLayout layout, ToIntFunction<InternalRow> ranges, RangeFinder.InTask finder) {
    this.keys = layout.order().toArray(OrderKey[]::new);
    this.ranges = ranges;
    this.finder = finder;
    this.row =
        UnsafeRow.createFromByteArray(
            UnsafeRow.calculateBitSetWidthInBytes(keys.length) + keys.length * Long.BYTES,
            keys.length);
  }

  @Override
  public void route(WordBatch batch, int[] targets) {
    int rows = batch.rows();
    for (int i = 0; i < rows; i++) {
      for (int k = 0; k < keys.length; k++) {
        int field = keys[k].field();
        row.setLong(k, batch.values(field)[i]);
        if (batch.isNull(field, i)) {
          row.setNullAt(k);
        }
      }
      targets[i] = ranges.applyAsInt(row);
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
