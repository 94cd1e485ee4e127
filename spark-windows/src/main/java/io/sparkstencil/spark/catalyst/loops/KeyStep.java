/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.columns.WordType;
import io.sparkstencil.spark.catalyst.frames.RangeBound;
import java.io.Serializable;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/**
 * What is added to the key of a row to get a bound of its frame. Months, and days across a change
 * of clocks, are no fixed number: there, as where a sum leaves its type, Spark's expression is
 * evaluated.
 *
 * @param bound the expression
 * @param type how keys are read
 * @param key their type
 * @param added a number; null if there is none for any key
 * @param zone whose days are added; that without changes if none are
 */
record KeyStep(RangeBound bound, WordType type, DataType key, Number added, ZoneId zone)
    implements Serializable {
  static final long DAY_MICROS = 86_400_000_000L;

  /**
   * Returns the step to a bound, or null if it is not known.
   *
   * @param order the order's only column
   * @param offset what is added to keys, or the current row
   * @param zone the session's time zone
   */
  static KeyStep of(SortOrder order, Expression offset, ZoneId zone) {
    RangeBound bound = RangeBound.of(order, offset, zone);
    DataType key = order.child().dataType();
    WordType type = WordType.of(key); // null too for types that only pass through
    boolean added = type != null && type != WordType.BOOLEAN && !(key instanceof DecimalType);
    if (bound == null || !added) {
      return null;
    } else if (offset == CurrentRow$.MODULE$) {
      return new KeyStep(bound, type, key, 0L, ZoneOffset.UTC);
    }
    boolean months = offset.dataType() instanceof YearMonthIntervalType && !isSame(key, offset);
    if (months || !(offset.eval(null) instanceof Number number)) {
      return new KeyStep(bound, type, key, null, ZoneOffset.UTC);
    }
    boolean descending = order.direction() == Descending$.MODULE$;
    if (type.isFloating()) {
      double sum = descending ? -number.doubleValue() : number.doubleValue();
      return new KeyStep(bound, type, key, sum, ZoneOffset.UTC);
    }
    long step = descending ? -number.longValue() : number.longValue();
    if (descending && !hasNegative(number)) {
      return new KeyStep(bound, type, key, null, ZoneOffset.UTC);
    }
    if (key instanceof DateType && offset.dataType() instanceof DayTimeIntervalType) {
      step /= DAY_MICROS;
    }
    boolean local = key instanceof TimestampType && Math.abs(step) >= DAY_MICROS;
    return new KeyStep(bound, type, key, step, local ? zone : ZoneOffset.UTC);
  }

  /** Tells whether the negative of a number has its type. */
  private static boolean hasNegative(Number number) {
    return !number.equals(Byte.MIN_VALUE)
        && !number.equals(Short.MIN_VALUE)
        && !number.equals(Integer.MIN_VALUE)
        && !number.equals(Long.MIN_VALUE);
  }

  private static boolean isSame(DataType key, Expression offset) {
    return key.equals(offset.dataType());
  }

  /** Returns a key as Spark has it. */
  Object boxed(long number, double real) {
    return switch (type) {
      case BYTE -> (byte) number;
      case SHORT -> (short) number;
      case INT -> (int) number;
      case LONG -> number;
      case FLOAT -> (float) real;
      case DOUBLE -> real;
      case BOOLEAN -> throw new IllegalStateException("nothing is added to booleans");
    };
  }

  /** Returns the bits of keys, all of which sums may take. */
  int bits() {
    if (key instanceof ByteType) {
      return Byte.SIZE;
    } else if (key instanceof ShortType) {
      return Short.SIZE;
    }
    return type == WordType.INT ? Integer.SIZE : Long.SIZE;
  }

  boolean isFloat() {
    return key instanceof FloatType;
  }
}
