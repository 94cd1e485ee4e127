/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.OpenRows;
import io.sparkstencil.spark.catalyst.shuffle.RangeFinder;
import io.sparkstencil.spark.catalyst.shuffle.RowLayout;
import io.sparkstencil.spark.catalyst.shuffle.TextRow;
import java.util.Arrays;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Sends rows where rows of their order's columns go, and has something found on the way. */
public final class KeyRowRouter implements ColumnRouter {
  private final OrderKey[] keys;
  private final ToIntFunction<InternalRow> ranges;
  private final RangeFinder.InTask finder;
  private final RowLayout layout; // of a row of these columns
  private final TextRow row;
  private final long[] words;

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
    this.layout = RowLayout.ofTypes(Stream.of(keys).map(key -> layout.type(key.field())).toList());
    this.row = new TextRow(this.layout);
    this.words = new long[this.layout.words()];
  }

  @Override
  public void route(WordBatch batch, int[] targets) {
    int rows = batch.rows();
    int nullWords = words.length - keys.length;
    for (int i = 0; i < rows; i++) {
      Arrays.fill(words, 0, nullWords, 0);
      for (int k = 0; k < keys.length; k++) {
        int field = keys[k].field();
        words[nullWords + k] = batch.values(field)[i];
        if (batch.isNull(field, i)) {
          words[k / Long.SIZE] |= 1L << k;
        }
      }
      row.begin(words, 0);
      addTexts(batch, i);
      targets[i] = ranges.applyAsInt(row.row());
    }
  }

  private void addTexts(WordBatch batch, int index) {
    for (int t = 0; t < layout.texts().size(); t++) {
      int key = layout.texts().get(t);
      if (row.isNull(key)) {
        row.addNull(t);
      } else {
        UTF8String text = batch.texts(keys[key].field()).value(index);
        row.add(t, text.getBaseObject(), text.getBaseOffset(), text.numBytes());
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
