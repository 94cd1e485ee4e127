/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import io.sparkstencil.spark.catalyst.lines.SparkLine;
import java.io.Serializable;
import java.time.Duration;
import java.time.ZoneId;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.DateAdd;
import org.apache.spark.sql.catalyst.expressions.DateAddYMInterval;
import org.apache.spark.sql.catalyst.expressions.DecimalAddNoOverflowCheck;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalDays;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.TimestampAddYMInterval;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus$;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/**
 * A bound of a RANGE frame: of the key of a row, it makes the key where the row's frame begins or
 * ends. The expression is the one by which Spark's operator finds the bound.
 *
 * <p>A bound is monotone if a later key has a later bound. Arithmetic that leaves its type is not,
 * nor is local time: an hour that a clock skips or repeats, and days that a month lacks, bring
 * later keys an earlier bound. That has an end: the bound of a key is at least that of any key
 * {@link #inversionMicros} before it.
 *
 * @param expression of the key, which is column 0
 * @param inversionMicros how far apart keys whose bounds are in the other order may be, less than
 */
public record RangeBound(Expression expression, long inversionMicros) implements Serializable {
  private static final long DAY_MICROS = Duration.ofDays(1).toNanos() / 1000;

  /** Days that ends of months take away from the distance of two times, at most. */
  private static final long MONTH_DAYS = 3;

  /**
   * Returns a bound of the frames of an order, or null if it is not known how far it reaches.
   *
   * @param order the order's only column
   * @param bound what is added to keys, or the current row
   * @param zone the session's time zone
   */
  public static RangeBound of(SortOrder order, Expression bound, ZoneId zone) {
    DataType type = order.child().dataType();
    Expression key = new BoundReference(0, type, true);
    if (bound == CurrentRow$.MODULE$) {
      return new RangeBound(key, 0);
    } else if (!bound.foldable() || !isFinite(bound.eval(null))) {
      return null;
    }
    Expression step =
        order.direction() == Descending$.MODULE$
            ? new UnaryMinus(bound, UnaryMinus$.MODULE$.apply$default$2())
            : bound;
    if (type instanceof DateType) {
      Expression day = addToDate(key, step);
      return day == null ? null : new RangeBound(day, 0);
    } else if (type instanceof TimestampType) {
      return addToTime(key, step, zone, ZoneShifts.largestMicros(zone));
    } else if (type instanceof TimestampNTZType) {
      return addToTime(key, step, zone, 0);
    }
    Expression sum = addToNumber(key, step);
    return sum == null ? null : new RangeBound(sum, 0);
  }

  private static boolean isFinite(Object value) {
    return value != null
        && !(value instanceof Double number && !Double.isFinite(number))
        && !(value instanceof Float number && !Float.isFinite(number));
  }

  private static Expression addToDate(Expression date, Expression step) {
    if (step.dataType() instanceof IntegerType) {
      return new DateAdd(date, step);
    } else if (step.dataType() instanceof YearMonthIntervalType) {
      return new DateAddYMInterval(date, step);
    }
    return step.dataType() instanceof DayTimeIntervalType
        ? new DateAdd(date, new ExtractANSIIntervalDays(step))
        : null;
  }

  private static RangeBound addToTime(
      Expression time, Expression step, ZoneId zone, long shiftMicros) {
    scala.Option<String> zoneId = scala.Option.apply(zone.getId());
    if (step.dataType() instanceof YearMonthIntervalType) {
      return new RangeBound(
          new TimestampAddYMInterval(time, step, zoneId),
          MONTH_DAYS * DAY_MICROS + 2 * shiftMicros);
    } else if (step.dataType() instanceof DayTimeIntervalType) {
      // Whole days are added in local time, what is left is not.
      boolean hasDays = Math.abs((long) step.eval(null)) >= DAY_MICROS;
      return new RangeBound(SparkLine.timeSum(time, step, zoneId), hasDays ? 2 * shiftMicros : 0);
    }
    return null;
  }

  private static Expression addToNumber(Expression key, Expression step) {
    DataType type = key.dataType();
    if (type instanceof DecimalType && step.dataType() instanceof DecimalType) {
      return new DecimalAddNoOverflowCheck(key, step, type);
    }
    boolean known =
        type instanceof NumericType
            || type instanceof YearMonthIntervalType
            || type instanceof DayTimeIntervalType;
    return known && type.equals(step.dataType()) ? new Add(key, step) : null;
  }

  /**
   * Returns the bound of a row's key, as a row.
   *
   * @throws RuntimeException if Spark's operator would fail
   */
  public InternalRow at(InternalRow key) {
    return new GenericInternalRow(new Object[] {expression.eval(key)});
  }

  /** Returns the key that lies so many microseconds after another, a time of its own. */
  public static InternalRow shifted(InternalRow key, long micros) {
    return micros == 0
        ? key
        : new GenericInternalRow(new Object[] {Math.addExact(key.getLong(0), micros)});
  }
}
