/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.error.InvalidStencilException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.NumericType;

/**
 * A distance along an order column: a number, a time, or whole months. Negative ones lead the other
 * way.
 *
 * @param option the option that gave it, for messages
 * @param text as the user wrote it
 * @param kind what it counts
 * @param amount how many of them: numbers, microseconds or months
 */
record OrderSpan(String option, String text, SpanUnit kind, BigDecimal amount) {
  static final long MICROS_PER_DAY = 86_400_000_000L;

  /** What a span counts. */
  enum SpanUnit {
    NUMBER,
    MICROS,
    MONTHS
  }

  private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE]-?\\d+)?");
  private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([a-zA-Z]+)\\s*");

  private static final Map<String, Long> MICROS =
      Map.of(
          "us", 1L,
          "ms", 1_000L,
          "s", 1_000_000L,
          "min", 60_000_000L,
          "h", 3_600_000_000L,
          "d", MICROS_PER_DAY,
          "w", 7 * MICROS_PER_DAY);

  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("microsecond", "us"),
          Map.entry("millisecond", "ms"),
          Map.entry("sec", "s"),
          Map.entry("second", "s"),
          Map.entry("m", "min"),
          Map.entry("minute", "min"),
          Map.entry("hr", "h"),
          Map.entry("hour", "h"),
          Map.entry("day", "d"),
          Map.entry("week", "w"),
          Map.entry("mo", "month"),
          Map.entry("yr", "year"));

  private static final BigDecimal MOST = BigDecimal.valueOf(100_000_000L * MICROS_PER_DAY / 1_000);

  /**
   * Reads a span: a number such as {@code 2.5}, or times such as {@code 1h}, {@code "7 days"} and
   * {@code "1h 30min"}.
   *
   * @param option the option that has it, for messages
   * @throws InvalidStencilException if it is none
   */
  static OrderSpan parse(String option, String text) {
    String stripped = text.strip();
    if (NUMBER.matcher(stripped).matches()) {
      return new OrderSpan(option, text, SpanUnit.NUMBER, new BigDecimal(stripped));
    }
    boolean negative = stripped.startsWith("-");
    Matcher part = PART.matcher(negative ? stripped.substring(1) : stripped);
    BigDecimal micros = BigDecimal.ZERO;
    BigDecimal months = BigDecimal.ZERO;
    int done = 0;
    while (part.find() && part.start() == done) {
      BigDecimal count = new BigDecimal(part.group(1));
      String unit = unit(option, text, part.group(2));
      if (MICROS.containsKey(unit)) {
        micros = micros.add(count.multiply(BigDecimal.valueOf(MICROS.get(unit))));
      } else {
        months = months.add(unit.equals("year") ? count.multiply(BigDecimal.valueOf(12)) : count);
      }
      done = part.end();
    }
    if (done == 0 || done < stripped.length() - (negative ? 1 : 0)) {
      throw wrong(option, text, "is no distance");
    }
    if (micros.signum() != 0 && months.signum() != 0) {
      throw wrong(option, text, "mixes months, whose lengths differ, with days or hours");
    }
    BigDecimal amount = months.signum() == 0 ? micros : months;
    if (amount.stripTrailingZeros().scale() > 0) {
      throw wrong(option, text, "is no whole number of microseconds or months");
    }
    if (amount.compareTo(MOST) > 0) {
      throw wrong(option, text, "is longer than 100,000 days");
    }
    return new OrderSpan(
        option,
        text,
        months.signum() == 0 ? SpanUnit.MICROS : SpanUnit.MONTHS,
        negative ? amount.negate() : amount);
  }

  private static String unit(String option, String text, String given) {
    if (given.equals("M")) {
      throw wrong(option, text, "has the unit M; write min or month");
    }
    String lower = given.toLowerCase(Locale.ROOT);
    for (String form :
        List.of(lower, lower.endsWith("s") ? lower.substring(0, lower.length() - 1) : lower)) {
      String unit = WORDS.getOrDefault(form, form);
      if (MICROS.containsKey(unit) || unit.equals("month") || unit.equals("year")) {
        return unit;
      }
    }
    throw wrong(option, text, "has the unknown unit %s".formatted(given));
  }

  private static InvalidStencilException wrong(String option, String text, String why) {
    return new InvalidStencilException(
        "%s %s %s; write a number, or a time such as 90s, 15min, \"1h 30min\", \"7 days\" or \"1 month\""
            .formatted(option, text, why));
  }

  OrderSpan negated() {
    return new OrderSpan(option, text, kind, amount.negate());
  }

  boolean isZero() {
    return amount.signum() == 0;
  }

  /** Returns how it differs from {@code other} in length, if both count the same, or one is 0. */
  Optional<Integer> compareLength(OrderSpan other) {
    return kind == other.kind || isZero() || other.isZero()
        ? Optional.of(amount.compareTo(other.amount))
        : Optional.empty();
  }

  /** Tells whether an order column of a type is one of times. */
  static boolean isTime(DataType type) {
    return type.equals(DataTypes.DateType)
        || type.equals(DataTypes.TimestampType)
        || type.equals(DataTypes.TimestampNTZType);
  }

  /**
   * Checks that it is a distance between values of the order column.
   *
   * @throws InvalidStencilException if it is not
   */
  void requireOf(String column, DataType type) {
    String named = "%s %s".formatted(option, text);
    if (isTime(type)) {
      if (kind == SpanUnit.NUMBER && !isZero()) {
        throw new InvalidStencilException(
            "%s has no unit, but %s is a time (%s); write one, such as \"%s days\""
                .formatted(named, column, type.simpleString(), text));
      }
      if (type.equals(DataTypes.DateType) && kind == SpanUnit.MICROS && !isWholeDays()) {
        throw new InvalidStencilException(
            "%s is no whole number of days, and %s is a date; give days, or make the column a timestamp"
                .formatted(named, column));
      }
    } else if (type instanceof NumericType) {
      if (kind != SpanUnit.NUMBER) {
        throw new InvalidStencilException(
            "%s is a time, but %s is a number (%s); give a number without a unit"
                .formatted(named, column, type.simpleString()));
      }
      if (isIntegral(type) && (!isWhole() || amount.abs().compareTo(LONGEST) > 0)) {
        throw new InvalidStencilException(
            "%s is no whole number below 2^62, and %s is %s; give one"
                .formatted(named, column, type.simpleString()));
      }
    } else {
      throw new InvalidStencilException(
          "%s needs an order column of times or numbers, and %s is %s; write dates as 2012-01-31, or count rows with --radius"
              .formatted(named, column, type.simpleString()));
    }
  }

  private static final BigDecimal LONGEST = BigDecimal.valueOf(1L << 62);

  private boolean isWhole() {
    return amount.stripTrailingZeros().scale() <= 0;
  }

  private boolean isWholeDays() {
    return amount.remainder(BigDecimal.valueOf(MICROS_PER_DAY)).signum() == 0;
  }

  static boolean isIntegral(DataType type) {
    return type.equals(DataTypes.ByteType)
        || type.equals(DataTypes.ShortType)
        || type.equals(DataTypes.IntegerType)
        || type.equals(DataTypes.LongType);
  }

  /**
   * Returns the order column, in a type to whose values spans can be added.
   *
   * @param column quoted
   */
  static String orderSql(String column, DataType type, OrderSpan... spans) {
    if (isIntegral(type)) {
      return type.equals(DataTypes.LongType) ? column : "CAST(%s AS BIGINT)".formatted(column);
    }
    if (type instanceof DecimalType decimal) {
      return "CAST(%s AS DECIMAL(38,%d))".formatted(column, scale(decimal, spans));
    }
    return type.equals(DataTypes.FloatType) ? "CAST(%s AS DOUBLE)".formatted(column) : column;
  }

  private static int scale(DecimalType type, OrderSpan... spans) {
    int scale = type.scale();
    for (OrderSpan span : spans) {
      scale = Math.max(scale, span.amount.stripTrailingZeros().scale());
    }
    return scale;
  }

  /** Returns the bound of a frame that lies so far after the current row. */
  String boundSql(DataType type) {
    if (isZero()) {
      return "CURRENT ROW";
    }
    BigDecimal length = amount.abs();
    return lengthSql(type, length) + (amount.signum() < 0 ? " PRECEDING" : " FOLLOWING");
  }

  private String lengthSql(DataType type, BigDecimal length) {
    return switch (kind) {
      case MONTHS -> "INTERVAL '%s' MONTH".formatted(length.toBigInteger());
      case MICROS -> {
        long micros = length.longValueExact();
        long days = micros / MICROS_PER_DAY;
        if (type.equals(DataTypes.DateType)) {
          yield "INTERVAL '%d' DAY".formatted(days);
        }
        long seconds = micros % MICROS_PER_DAY / 1_000_000;
        yield "INTERVAL '%d %02d:%02d:%02d.%06d' DAY TO SECOND"
            .formatted(days, seconds / 3600, seconds / 60 % 60, seconds % 60, micros % 1_000_000);
      }
      case NUMBER ->
          isIntegral(type)
              ? length.toBigIntegerExact() + "L"
              : type instanceof DecimalType
                  ? length.stripTrailingZeros().toPlainString() + "BD"
                  : length + "D";
    };
  }
}
