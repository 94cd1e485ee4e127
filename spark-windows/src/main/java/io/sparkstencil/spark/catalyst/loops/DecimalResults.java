/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.columns.ArrayColumnVector;
import io.sparkstencil.spark.catalyst.columns.DecimalVector;
import io.sparkstencil.spark.catalyst.frames.WideSum;
import io.sparkstencil.spark.catalyst.interop.DecimalMean;
import io.sparkstencil.spark.exec.CellColumn;
import java.math.BigInteger;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Sums or means of decimals, whose low bits are cells, and whose high bits are kept beside. */
final class DecimalResults {
  private final DecimalType type;
  private final long unit; // units of the mean that are one of the values; 0 for sums
  private long[] highs; // null until there are results

  private DecimalResults(DecimalType type, long unit) {
    this.type = type;
    this.unit = unit;
  }

  /** Returns sums of a type. */
  static DecimalResults sums(DecimalType type) {
    return new DecimalResults(type, 0);
  }

  /**
   * Returns means of a type.
   *
   * @param values the type of what they are means of
   */
  static DecimalResults means(DecimalType type, DecimalType values) {
    int digits = type.scale() - values.scale();
    return new DecimalResults(type, BigInteger.TEN.pow(digits).longValueExact());
  }

  /** Says that results are written to other columns from now on. */
  void open() {
    highs = null;
  }

  /** Writes the result of a sum of {@code number} values to cells {@code [from, until)}. */
  void fill(WideSum sum, long number, CellColumn to, int from, int until) {
    long[] lows = (long[]) to.array();
    highs = highs == null ? new long[lows.length] : highs;
    long low = sum.low();
    long high = sum.high();
    if (unit > 0) {
      Decimal mean =
          sum.isLong()
              ? DecimalMean.of(low, number, unit, type.precision(), type.scale())
              : DecimalMean.of(sum.value(), number, unit, type.precision(), type.scale());
      BigInteger unscaled = mean.toJavaBigDecimal().unscaledValue();
      low = unscaled.longValue();
      high = unscaled.shiftRight(Long.SIZE).longValue();
    }
    for (int i = from; i < until; i++) {
      lows[i] = low;
      highs[i] = high;
    }
  }

  /** Returns the results. */
  ColumnVector vector(CellColumn cells, int rows) {
    long[] lows = (long[]) cells.array();
    return type.precision() <= Decimal.MAX_LONG_DIGITS()
        ? new ArrayColumnVector(type, lows, cells.validity(), 0, rows)
        : new DecimalVector(
            type, lows, highs == null ? lows : highs, cells.validity(), rows); // all are null
  }
}
