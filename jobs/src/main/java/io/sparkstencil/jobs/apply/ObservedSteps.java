/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The steps between times that follow one another in their series, as far as they have been looked
 * at. Months of different lengths count as equal steps.
 */
final class ObservedSteps {
  private static final long MICROS_PER_SECOND = 1_000_000;

  private final Map<Long, Integer> stepMicros = new HashMap<>();
  private final Set<Long> months = new HashSet<>();
  private Object lastKeys;
  private Long lastMicros;
  private boolean inOrder = true;
  private long rows;

  /** Begins a run of rows that follow one another. */
  void begin() {
    lastKeys = null;
    lastMicros = null;
  }

  /** Adds the next row; {@code micros} are null where there is no time. */
  void add(Object keys, Long micros) {
    rows++;
    if (micros != null && lastMicros != null && Objects.equals(keys, lastKeys)) {
      long step = micros - lastMicros;
      inOrder &= step >= 0;
      stepMicros.merge(step, 1, Integer::sum);
      if (step > 0) {
        months.add(months(lastMicros, micros));
      }
    }
    lastKeys = keys;
    lastMicros = micros;
  }

  /** Returns the months between times of the same day of the month, or 0 for all others. */
  private static long months(long from, long to) {
    LocalDateTime first = time(from);
    LocalDateTime second = time(to);
    long months =
        ChronoUnit.MONTHS.between(
            first.toLocalDate().withDayOfMonth(1), second.toLocalDate().withDayOfMonth(1));
    boolean lastDays = isLastDay(first) && isLastDay(second);
    boolean sameDay = lastDays || first.getDayOfMonth() == second.getDayOfMonth();
    return sameDay && first.toLocalTime().equals(second.toLocalTime()) ? months : 0;
  }

  private static boolean isLastDay(LocalDateTime time) {
    return time.plusDays(1).getDayOfMonth() == 1;
  }

  private static LocalDateTime time(long micros) {
    return LocalDateTime.ofInstant(
        Instant.ofEpochSecond(
            Math.floorDiv(micros, MICROS_PER_SECOND),
            Math.floorMod(micros, MICROS_PER_SECOND) * 1_000),
        ZoneOffset.UTC);
  }

  /**
   * Returns what there is to say.
   *
   * @param order the order column
   * @param countsRows whether frames count rows
   * @param hasKeys whether columns tell series apart
   */
  List<String> notes(String order, boolean countsRows, boolean hasKeys) {
    List<String> notes = new ArrayList<>();
    if (!inOrder) {
      return notes; // these are not the neighbours that frames have seen
    }
    int repeats = stepMicros.getOrDefault(0L, 0);
    if (repeats > 0) {
      notes.add(
          "%s repeats %s: %,d of %,d rows that were looked at have the value of the row before, and each counts; %s--dedupe first, last or mean keeps one"
              .formatted(
                  order,
                  hasKeys ? "within a series" : "in the table, which is one series",
                  repeats,
                  rows,
                  hasKeys ? "" : "--partition-by names columns that tell series apart, and "));
    }
    if (countsRows) {
      steps()
          .ifPresent(
              steps ->
                  notes.add(
                      "%s has steps from %s in the %,d rows that were looked at, so a number of rows is no fixed time; --range, or --before and --after, take times, and --resample makes steps equal"
                          .formatted(order, steps, rows)));
    }
    return notes;
  }

  private Optional<String> steps() {
    List<Long> steps = stepMicros.keySet().stream().filter(step -> step > 0).sorted().toList();
    boolean equalMonths = months.size() == 1 && !months.contains(0L);
    if (steps.size() < 2 || equalMonths) {
      return Optional.empty();
    }
    long most = steps.stream().max(Comparator.comparing(stepMicros::get)).orElseThrow();
    return Optional.of(
        "%s to %s, mostly %s"
            .formatted(text(steps.get(0)), text(steps.get(steps.size() - 1)), text(most)));
  }

  /** Returns a time in its largest units, such as {@code 1 h 30 min}. */
  static String text(long micros) {
    long[] sizes = {86_400_000_000L, 3_600_000_000L, 60_000_000L, MICROS_PER_SECOND, 1_000, 1};
    String[] units = {"d", "h", "min", "s", "ms", "us"};
    List<String> parts = new ArrayList<>();
    long rest = micros;
    for (int i = 0; i < sizes.length; i++) {
      if (rest >= sizes[i]) {
        parts.add("%,d %s".formatted(rest / sizes[i], units[i]));
      }
      rest %= sizes[i];
    }
    return String.join(" ", parts.subList(0, Math.min(3, parts.size())));
  }
}
