/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.apache.spark.sql.functions.expr;

import java.math.BigDecimal;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/**
 * An order column as numbers: microseconds since 1970 in UTC for times, which are those of the day
 * as they stand where they have no zone, and the values themselves for numbers.
 *
 * @param column its name
 * @param type its type, of times or numbers
 */
record OrderPositions(String column, DataType type) {
  /** Mondays are so many microseconds after 1970 began, or multiples of weeks more. */
  private static final long MONDAY = 4 * OrderSpan.MICROS_PER_DAY;

  private static final long MICROS_PER_WEEK = 7 * OrderSpan.MICROS_PER_DAY;

  /** Returns the microseconds of a column of times. */
  Column micros() {
    return expr(microsSql());
  }

  private String microsSql() {
    String value = WindowFrame.quoted(column);
    if (type.equals(DataTypes.DateType)) {
      return "unix_date(%s) * %dL".formatted(value, OrderSpan.MICROS_PER_DAY);
    }
    if (type.equals(DataTypes.TimestampType)) {
      return "unix_micros(%s)".formatted(value);
    }
    String since = "(%s - TIMESTAMP_NTZ'1970-01-01 00:00:00')".formatted(value);
    return "(extract(DAY FROM %1$s) * 86400000000L + extract(HOUR FROM %1$s) * 3600000000L"
            .formatted(since)
        + " + extract(MINUTE FROM %1$s) * 60000000L + CAST(extract(SECOND FROM %1$s) * 1000000 AS BIGINT))"
            .formatted(since);
  }

  /** Relative distances within which a quotient of binary fractions is that of the decimal ones. */
  private static final double ACCURACY = 0x1p-51;

  private static final double FLOAT_ACCURACY = 0x1p-22;

  /** Lengths of steps of at most so many characters are multiplied as decimals. */
  private static final int DECIMAL_CHARACTERS = 17;

  /**
   * Returns the number of the step, a bigint, that a value lies in; null for values that are not
   * finite. 0.3 is the third step of 0.1, though the quotient of the two doubles is below 3.
   */
  Column stepNumber(OrderSpan step) {
    String value = WindowFrame.quoted(column);
    if (OrderSpan.isTime(type)) {
      return floorDivided("(%s - %dL)".formatted(microsSql(), origin(step)), amount(step));
    }
    if (OrderSpan.isIntegral(type)) {
      return floorDivided("CAST(%s AS BIGINT)".formatted(value), amount(step));
    }
    if (type instanceof DecimalType) {
      String length = plain(step) + "BD";
      return expr(
          "CAST(round((%1$s - pmod(%1$s, %2$s)) / %2$s) AS BIGINT)".formatted(value, length));
    }
    String quotient = "(CAST(%s AS DOUBLE) / %sD)".formatted(value, step.amount());
    double accuracy = type.equals(DataTypes.FloatType) ? FLOAT_ACCURACY : ACCURACY;
    return expr(
        "CASE WHEN abs(%1$s) < double('Infinity') THEN CAST(CASE WHEN abs(%1$s - rint(%1$s)) <= abs(rint(%1$s)) * %2$sD THEN rint(%1$s) ELSE floor(%1$s) END AS BIGINT) END"
            .formatted(quotient, accuracy));
  }

  private static String plain(OrderSpan step) {
    return step.amount().stripTrailingZeros().toPlainString();
  }

  private static Column floorDivided(String value, long by) {
    return expr("(%1$s - pmod(%1$s, %2$dL)) div %2$dL".formatted(value, by));
  }

  /** Returns the value at which the step of a number begins. */
  Column stepBegin(String number, OrderSpan step) {
    if (OrderSpan.isIntegral(type)) {
      return expr("CAST(%s * %dL AS %s)".formatted(number, amount(step), type.sql()));
    }
    if (!OrderSpan.isTime(type)) {
      boolean isShort = plain(step).length() <= DECIMAL_CHARACTERS;
      String product =
          isShort
              ? "CAST(%s AS DECIMAL(20, 0)) * %sBD".formatted(number, plain(step))
              : "%s * %sD".formatted(number, step.amount());
      return expr("CAST(%s AS %s)".formatted(product, type.sql()));
    }
    String micros = "(%s * %dL + %dL)".formatted(number, amount(step), origin(step));
    if (type.equals(DataTypes.DateType)) {
      return expr(
          "date_from_unix_date(CAST(%s div %dL AS INT))"
              .formatted(micros, OrderSpan.MICROS_PER_DAY));
    }
    return type.equals(DataTypes.TimestampType)
        ? expr("timestamp_micros(%s)".formatted(micros))
        : expr(
            "TIMESTAMP_NTZ'1970-01-01 00:00:00' + make_dt_interval(0, 0, 0, CAST(%s AS DECIMAL(20,0)) / 1000000)"
                .formatted(micros));
  }

  private static long amount(OrderSpan step) {
    return step.amount().longValueExact();
  }

  /** Returns where steps are counted from: weeks begin on Mondays. */
  private static long origin(OrderSpan step) {
    return step.amount().remainder(BigDecimal.valueOf(MICROS_PER_WEEK)).signum() == 0 ? MONDAY : 0;
  }
}
