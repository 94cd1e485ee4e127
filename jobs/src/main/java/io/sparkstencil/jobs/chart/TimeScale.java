/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * The unit in which an axis of times is numbered, so that its ticks, which stand at round numbers,
 * stand where days, months or years begin.
 */
enum TimeScale {
  /** Parts of days: drawn by the chart's own axis of times. */
  TIMES(0),
  /** Days since 1970. */
  DAYS(0),
  /** Months since the year 0, and so on. */
  MONTHS(1),
  QUARTERS(3),
  HALF_YEARS(6),
  YEARS(12);

  /** Ticks that an axis has room for. */
  private static final double TICKS = 9;

  private static final double MILLIS_PER_DAY = 86_400_000;
  private static final double DAYS_PER_MONTH = 30.44;

  private final int months; // 0 where months do not matter

  TimeScale(int months) {
    this.months = months;
  }

  /**
   * Returns the scale for an axis over so many milliseconds. A chart puts ticks at about 1, 2 or 5
   * units; five months or quarters are no time that one thinks in, so larger units begin before.
   */
  static TimeScale of(double spanMillis) {
    double days = spanMillis / MILLIS_PER_DAY / TICKS;
    double inMonths = days / DAYS_PER_MONTH;
    if (days < 0.75) {
      return TIMES;
    }
    return inMonths < 0.75
        ? DAYS
        : inMonths < 2.25 ? MONTHS : inMonths < 4.5 ? QUARTERS : inMonths < 9 ? HALF_YEARS : YEARS;
  }

  /** Returns where a time lies on the axis. */
  double position(double millis) {
    if (months == 0) {
      return this == DAYS ? millis / MILLIS_PER_DAY : millis;
    }
    ZonedDateTime time = Instant.ofEpochMilli((long) millis).atZone(ZoneOffset.UTC);
    ZonedDateTime begin = time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
    double length = ChronoUnit.MILLIS.between(begin, begin.plusMonths(1));
    double month = 12.0 * time.getYear() + time.getMonthValue() - 1;
    return (month + ChronoUnit.MILLIS.between(begin, time) / length) / months;
  }

  /** Returns what is written below the tick at a position. */
  String label(double position) {
    if (months == 0) {
      return LocalDate.ofEpochDay(Math.round(position)).toString();
    }
    long month = Math.round(position * months);
    long year = Math.floorDiv(month, 12L);
    return this == YEARS
        ? Long.toString(year)
        : String.format(Locale.ROOT, "%04d-%02d", year, Math.floorMod(month, 12L) + 1);
  }
}
