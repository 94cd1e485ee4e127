/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Distances along an order column, as they are written on the command line. */
final class OrderSpanTest {
  @ParameterizedTest
  @CsvSource({
    "1h, MICROS, 3600000000",
    "7 days, MICROS, 604800000000",
    "7D, MICROS, 604800000000",
    "1h 30min, MICROS, 5400000000",
    "1h30m, MICROS, 5400000000",
    "-2 weeks, MICROS, -1209600000000",
    "1.5s, MICROS, 1500000",
    "250 ms, MICROS, 250000",
    "3 us, MICROS, 3",
    "2 months, MONTHS, 2",
    "1 year 1 mo, MONTHS, 13",
    "0, NUMBER, 0",
    "-2.5, NUMBER, -2.5",
    "1e-3, NUMBER, 0.001"
  })
  void readsNumbersAndTimes(String text, OrderSpan.SpanUnit kind, String amount) {
    OrderSpan span = OrderSpan.parse("--range", text);

    assertThat(span.kind()).isEqualTo(kind);
    assertThat(span.amount()).isEqualByComparingTo(amount);
  }

  @ParameterizedTest
  @CsvSource({
    "soon, is no distance",
    "1 fortnight, has the unknown unit fortnight",
    "1M, has the unit M; write min or month",
    "1 month 3 days, mixes months",
    "0.5 us, is no whole number of microseconds",
    "1h;, is no distance",
    "9999999 weeks, is longer than",
    "'', is no distance"
  })
  void refusesOthersWithTheRemedy(String text, String why) {
    assertThatThrownBy(() -> OrderSpan.parse("--range", text))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("--range " + text + " " + why)
        .hasMessageContaining("such as 90s, 15min");
  }

  @Test
  void isCheckedAgainstTheTypeOfTheColumn() {
    assertRefused("1h", DataTypes.LongType, "t is a number (bigint); give a number");
    assertRefused("7", DataTypes.TimestampType, "t is a time (timestamp); write one, such as \"7");
    assertRefused("1h", DataTypes.DateType, "is no whole number of days, and t is a date");
    assertRefused("1h", DataTypes.StringType, "t is string; write dates as 2012-01-31");
    assertRefused("0.5", DataTypes.IntegerType, "is no whole number below 2^62, and t is int");
    assertRefused("1e30", DataTypes.LongType, "is no whole number below 2^62, and t is bigint");
  }

  private static void assertRefused(String text, DataType type, String message) {
    assertThatThrownBy(() -> OrderSpan.parse("--range", text).requireOf("t", type))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining(message);
  }
}
