/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.catalyst.rows.ForwardingRows;
import io.sparkstencil.spark.catalyst.rows.RowRanges;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.series.OwnRows;
import io.sparkstencil.spark.catalyst.series.SeriesBatches;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;

/**
 * A range of the rows of a task, once they are in order, which are its own.
 *
 * @param before rows before its own, which are read for frames alone
 * @param rows its own
 * @param after rows after its own, which are read for frames alone
 */
public record RowSpan(long before, long rows, long after) implements OwnRows {
  /** All rows, however many they are. */
  public static final RowSpan ALL = new RowSpan(0, Long.MAX_VALUE, 0);

  @Override
  public void check(long read) {
    if (!equals(ALL) && read != before + rows + after) {
      throw new IllegalStateException(
          ("a range of a series has %d rows, and %d were counted before; the rows below a window"
                  + " must be the same each time they are read")
              .formatted(read, before + rows + after));
    }
  }

  @Override
  public RowSource of(RowSource all) {
    return equals(ALL) ? all : new Spanned(all, this);
  }

  @Override
  public SeriesBatches.Parts<EmittedRows> parts() {
    RowRanges own = new RowRanges();
    own.add(before, end());
    return new SeriesBatches.Parts<>() {
      @Override
      public long[] begin(SeriesColumns series) {
        return new long[] {series.reader().remaining()};
      }

      @Override
      public EmittedRows cut(int count) {
        return own.cut(count);
      }
    };
  }

  private long end() {
    return before + rows;
  }

  /** Rows some of which are there for frames alone. */
  private static final class Spanned extends ForwardingRows {
    private final RowSpan own;
    private long read;

    Spanned(RowSource rows, RowSpan own) {
      super(rows);
      this.own = own;
    }

    @Override
    public boolean advance() {
      read++;
      return super.advance();
    }

    @Override
    public boolean isEmitted() {
      return read > own.before() && read <= own.end();
    }
  }
}
