/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.rows.RowSource;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Which of the rows that a task reads are its own, once they are in order.
 *
 * @param before rows before its own, which are read for frames alone
 * @param rows its own
 * @param after rows after its own, which are read for frames alone
 */
public record RowSpan(long before, long rows, long after) implements Serializable {
  /** All rows, however many they are. */
  public static final RowSpan ALL = new RowSpan(0, Long.MAX_VALUE, 0);

  /**
   * Checks how many rows have been read.
   *
   * @throws IllegalStateException if they are not those that were counted before
   */
  public void check(long read) {
    if (!equals(ALL) && read != before + rows + after) {
      throw new IllegalStateException(
          ("a range of a series has %d rows, and %d were counted before; the rows below a window"
                  + " must be the same each time they are read")
              .formatted(read, before + rows + after));
    }
  }

  /** Returns all rows, which are in order; the result has the own ones. */
  public RowSource of(RowSource all) {
    return equals(ALL) ? all : new Spanned(all, this);
  }

  /** Returns the end of the own rows. */
  long end() {
    return before + rows;
  }

  /** Rows some of which are there for frames alone. */
  private static final class Spanned implements RowSource {
    private final RowSource rows;
    private final RowSpan own;
    private long read;

    Spanned(RowSource rows, RowSpan own) {
      this.rows = rows;
      this.own = own;
    }

    @Override
    public boolean advance() {
      read++;
      return rows.advance();
    }

    @Override
    public UnsafeRow row() {
      return rows.row();
    }

    @Override
    public Holder holder() {
      return rows.holder();
    }

    @Override
    public boolean startsSeries() {
      return rows.startsSeries();
    }

    @Override
    public boolean isEmitted() {
      return read > own.before() && read <= own.end();
    }
  }
}
