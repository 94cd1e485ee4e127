/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of times whose steps differ or that repeat. */
final class ObservedStepsTest {
  private static final long MINUTE = 60_000_000;

  @Test
  void saysTheStepsThatDifferAndTheUsualOne() {
    assertThat(notes(0, MINUTE, 2 * MINUTE, 62 * MINUTE))
        .singleElement()
        .asString()
        .startsWith("t has steps from 1 min to 1 h, mostly 1 min in the 4 rows that were looked")
        .contains("--range")
        .contains("--resample");
  }

  @Test
  void saysHowManyRowsRepeatAValue() {
    assertThat(notes(0, MINUTE, MINUTE, MINUTE, 2 * MINUTE))
        .singleElement()
        .asString()
        .startsWith("t repeats within a series: 2 of 5 rows")
        .contains("--dedupe");
  }

  @Test
  void valuesThatRepeatWithoutKeysMayBeThoseOfSeveralSeries() {
    ObservedSteps steps = new ObservedSteps();
    for (long each : new long[] {0, 0, MINUTE, MINUTE}) {
      steps.add(List.of(), each);
    }

    assertThat(steps.notes("t", true, false))
        .singleElement()
        .asString()
        .startsWith("t repeats in the table, which is one series: 2 of 4 rows")
        .contains("; --partition-by names columns that tell series apart, and --dedupe first");
  }

  @Test
  void equalStepsAreNotSpokenOf() {
    assertThat(notes(0, MINUTE, 2 * MINUTE, 3 * MINUTE)).isEmpty();
    assertThat(notes(5)).isEmpty();
    assertThat(notes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2012-01-15T06:00", "2011-10-31T00:00", "2012-01-01T00:00"})
  void monthsAreEqualStepsThoughTheirLengthsDiffer(String first) {
    LocalDateTime begin = LocalDateTime.parse(first);
    ObservedSteps steps = new ObservedSteps();
    for (int month = 0; month < 30; month++) {
      steps.add(List.of(), micros(begin.plusMonths(month)));
    }

    assertThat(steps.notes("t", true, true)).isEmpty();
  }

  @Test
  void aMonthThatIsMissingIsSpokenOf() {
    ObservedSteps steps = new ObservedSteps();
    LocalDateTime begin = LocalDateTime.parse("2012-01-01T00:00");
    for (int month : new int[] {0, 1, 3, 4}) {
      steps.add(List.of(), micros(begin.plusMonths(month)));
    }

    assertThat(steps.notes("t", true, true))
        .singleElement()
        .asString()
        .contains("from 30 d to 60 d, mostly");
  }

  @Test
  void seriesAndRunsAndNullsAreNotMixed() {
    ObservedSteps steps = new ObservedSteps();
    steps.add(List.of("a"), 0L);
    steps.add(List.of("a"), MINUTE);
    steps.add(List.of("b"), MINUTE);
    steps.add(List.of("b"), 2 * MINUTE);
    steps.add(List.of("b"), null);
    steps.add(List.of("b"), 9 * MINUTE);
    steps.begin();
    steps.add(List.of("b"), 90 * MINUTE);

    assertThat(steps.notes("t", true, true)).isEmpty();
  }

  @Test
  void rowsThatAreNotInOrderAreNoNeighboursToSpeakOf() {
    assertThat(notes(0, 3 * MINUTE, 3 * MINUTE, MINUTE)).isEmpty();
  }

  private static List<String> notes(long... micros) {
    ObservedSteps steps = new ObservedSteps();
    for (long each : micros) {
      steps.add(List.of(), each);
    }
    return steps.notes("t", true, true);
  }

  private static long micros(LocalDateTime time) {
    return time.toEpochSecond(ZoneOffset.UTC) * 1_000_000;
  }
}
