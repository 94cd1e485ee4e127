/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.Decimal$;
import org.apache.spark.sql.types.DecimalType;

/** Decimals of more digits than a long has: their unscaled values in 128 bits. */
public final class DecimalVector extends ArrayColumnVector {
  private final long[] highs;

  /**
   * Creates a view of the first {@code rows} decimals.
   *
   * @param lows the low bits of unscaled values; borrowed
   * @param highs the high bits; borrowed
   * @param validity 1 for a decimal, 0 for null, or null if none is null; borrowed
   */
  public DecimalVector(DecimalType type, long[] lows, long[] highs, byte[] validity, int rows) {
    super(type, lows, validity, 0, rows);
    this.highs = highs;
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    if (isNullAt(row)) {
      return null;
    }
    long low = getLong(row);
    if (highs[row] == low >> (Long.SIZE - 1)) {
      return Decimal$.MODULE$.apply(low, precision, scale);
    }
    BigInteger high = BigInteger.valueOf(highs[row]).shiftLeft(Long.SIZE);
    BigInteger unscaled = high.add(new BigInteger(Long.toUnsignedString(low)));
    return Decimal$.MODULE$.apply(new BigDecimal(unscaled, scale), precision, scale);
  }
}
