/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import io.sparkstencil.spark.catalyst.interop.DecimalMean;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.Decimal$;
import org.apache.spark.sql.types.DecimalType;

/** A function of decimals that are a long in a row: of their unscaled values. */
abstract class DecimalFunction extends LongFunction {
  private final int precision;
  private final int scale;

  /**
   * Creates the function.
   *
   * @param type the type of its value
   * @param queue what may become the extreme; null if it finds none
   */
  DecimalFunction(DecimalType type, PositionQueue queue) {
    super(KeyType.LONG, queue);
    this.precision = type.precision();
    this.scale = type.scale();
  }

  final int precision() {
    return precision;
  }

  final int scale() {
    return scale;
  }

  @Override
  final void writeValue(int first, int end, SpecificInternalRow target, int ordinal) {
    target.update(ordinal, value());
  }

  /** Returns the value of the cells in the frame. */
  abstract Decimal value();

  /** Adds unscaled values, which never overflows, nor does Spark's sum. */
  private abstract static class Adding extends DecimalFunction {
    private final WideSum sum = new WideSum();

    Adding(DecimalType type) {
      super(type, null);
    }

    @Override
    final void put(int at, UnsafeRow cells, int column) {
      super.put(at, cells, column);
      sum.add(values()[at]);
    }

    @Override
    final void take(int at) {
      sum.subtract(values()[at]);
    }

    @Override
    final void clear() {
      super.clear();
      sum.clear();
    }

    final WideSum sum() {
      return sum;
    }
  }

  /** The sum. */
  static final class Sum extends Adding {
    Sum(DecimalType type) {
      super(type);
    }

    @Override
    Decimal value() {
      return sum().isLong()
          ? Decimal$.MODULE$.apply(sum().low(), precision(), scale())
          : Decimal$.MODULE$.apply(new BigDecimal(sum().value(), scale()), precision(), scale());
    }
  }

  /** The sum by the number. */
  static final class Mean extends Adding {
    private final long unit; // units of the mean that are one of the values

    /**
     * Creates the function.
     *
     * @param type the type of its value
     * @param of the type of the cells
     */
    Mean(DecimalType type, DecimalType of) {
      super(type);
      this.unit = BigInteger.TEN.pow(type.scale() - of.scale()).longValueExact();
    }

    @Override
    Decimal value() {
      return sum().isLong()
          ? DecimalMean.of(sum().low(), count(), unit, precision(), scale())
          : DecimalMean.of(sum().value(), count(), unit, precision(), scale());
    }
  }

  /** The least or greatest value. */
  static final class Extreme extends DecimalFunction {
    private final boolean least;

    Extreme(DecimalType type, boolean least) {
      super(type, new PositionQueue());
      this.least = least;
    }

    @Override
    boolean surpasses(int one, int other) {
      return least ? values()[one] < values()[other] : values()[one] > values()[other];
    }

    @Override
    Decimal value() {
      return Decimal$.MODULE$.createUnsafe(values()[extreme()], precision(), scale());
    }
  }
}
