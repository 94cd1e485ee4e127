/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * Integers as cells hold them: the numbers of a type in a {@code long}, where those of UINT64 from
 * 2^63 on are negative.
 *
 * @param stored the type in the file
 * @param read the type that cells are read as: the same, or the one of the other signedness
 */
record IntegerCells(CellType stored, CellType read) {
  private static boolean isSigned(CellType type) {
    return type.name().startsWith("INT");
  }

  private static BigInteger highest(CellType type) {
    int bits = type == CellType.BOOL ? 1 : type.bytes() * Byte.SIZE - (isSigned(type) ? 1 : 0);
    return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
  }

  private static BigInteger lowest(CellType type) {
    return isSigned(type) ? highest(type).not() : BigInteger.ZERO;
  }

  long lowest() {
    return lowest(read).longValue();
  }

  long highest() {
    return highest(read).longValue();
  }

  /** Returns a number as a cell, or nothing if no cell can be it. */
  Optional<Long> cell(Number number) {
    if (!Double.isFinite(number.doubleValue())) {
      return Optional.empty();
    }
    BigDecimal exact = exact(number);
    return exact.stripTrailingZeros().scale() > 0 ? Optional.empty() : cell(exact.toBigInteger());
  }

  /** A number may be written in the type of the file, too: -1 for the unsigned byte 255. */
  private Optional<Long> cell(BigInteger number) {
    if (fits(number, read)) {
      return Optional.of(number.longValue());
    }
    if (!fits(number, stored)) {
      return Optional.empty();
    }
    BigInteger span = BigInteger.ONE.shiftLeft(read.bytes() * Byte.SIZE);
    return Optional.of((isSigned(read) ? number.subtract(span) : number.add(span)).longValue());
  }

  private static boolean fits(BigInteger number, CellType type) {
    return number.compareTo(lowest(type)) >= 0 && number.compareTo(highest(type)) <= 0;
  }

  /** Returns the cell that is nearest to a number, on one side of it; never NaN. */
  long limit(Number number, RoundingMode side) {
    if (Double.isInfinite(number.doubleValue())) {
      return number.doubleValue() > 0 ? highest() : lowest();
    }
    BigInteger rounded = exact(number).setScale(0, side).toBigInteger();
    return cell(rounded).orElseGet(() -> rounded.max(lowest(read)).min(highest(read)).longValue());
  }

  private static BigDecimal exact(Number number) {
    return number instanceof Double || number instanceof Float
        ? new BigDecimal(number.doubleValue())
        : new BigDecimal(number.toString());
  }
}
