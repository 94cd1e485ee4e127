/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import java.util.function.IntFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.errors.QueryExecutionErrors;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Sums some of which overflow: an error for who looks at one of these, as in Spark. */
public final class FailingSums extends ArrayColumnVector {
  private final boolean[] overflows;
  private final Named sums;

  /**
   * What is said of sums that overflow.
   *
   * @param name the column of the sums
   * @param inputs the columns of the rows
   * @param rows finds a row
   */
  public record Named(String name, StructType inputs, IntFunction<InternalRow> rows) {
    private ArithmeticException overflow(int row) {
      return QueryExecutionErrors.arithmeticOverflowError(
          "long overflow of %s in the row %s".formatted(name, RowText.of(inputs, rows.apply(row))),
          "try_sum",
          null);
    }
  }

  /**
   * Creates a view of {@code rows} sums from {@code from} on.
   *
   * @param validity 1 for a sum, 0 for null, or null if none is null; borrowed
   * @param overflows for each row whether its sum overflows; borrowed
   */
  public FailingSums(
      long[] array, byte[] validity, boolean[] overflows, int from, int rows, Named sums) {
    super(DataTypes.LongType, array, validity, from, rows);
    this.overflows = overflows;
    this.sums = sums;
  }

  /** Fails if one of the sums overflows. */
  public void requireAll() {
    for (int row = 0; row < overflows.length; row++) {
      isNullAt(row);
    }
  }

  @Override
  public boolean isNullAt(int row) {
    boolean isNull = super.isNullAt(row);
    if (overflows[row] && !isNull) {
      throw sums.overflow(row);
    }
    return isNull;
  }

  @Override
  public long getLong(int row) {
    return isNullAt(row) ? 0 : super.getLong(row);
  }
}
