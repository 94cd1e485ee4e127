/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.grid.tasks.Schedule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RunScheduleTest {
  private final AtomicInteger ids = new AtomicInteger();
  private final List<Integer> removed = new ArrayList<>();
  private final RunSchedule schedule = new RunSchedule(ids::incrementAndGet, removed::add, 7);

  /** Blocks that arrive in the last state share the log of faces with those that were there. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, Schedule.STATES - 1, Schedule.STATES, 3 * Schedule.STATES + 5})
  void theScheduleFromTheLastStateHasItsFaces(int supersteps) {
    for (int left = supersteps; left > 0; left -= 7) {
      schedule.add(Collections.nCopies(Math.min(left, 7), 2));
    }

    Schedule from = schedule.fromLast();

    assertThat(from.first()).isEqualTo(supersteps);
    assertThat(from.supersteps().last()).isEqualTo(supersteps);
    assertThat(from.stepsUpTo(supersteps)).isEqualTo(7 + 2L * supersteps);
    int[] all = schedule.snapshot().faces();
    assertThat(from.faces()).containsExactly(all[all.length - 1]);
    assertThat(from.facesAt(supersteps)).isEqualTo(schedule.snapshot().facesAt(supersteps));
    assertThat(from.coefficientFaces()).isEqualTo(schedule.snapshot().coefficientFaces());
  }

  private void add(int supersteps) {
    schedule.add(Collections.nCopies(supersteps, 1));
  }

  @Test
  void aJobInWhichTheLogBeginsAnewDoesNotLogAlike() {
    add(3);
    assertThat(schedule.logsAlikeAfter(0)).isTrue();
    schedule.giveUp();
    add(3);
    assertThat(schedule.logsAlikeAfter(3)).as("nothing").isTrue();
    add(3);
    schedule.resume();
    assertThat(schedule.logsAlikeAfter(6)).as("the last of three").isFalse();
    assertThat(schedule.logsAlikeAfter(8)).as("the only one").isTrue();
    add(3);
    assertThat(schedule.logsAlikeAfter(9)).as("all").isTrue();
  }

  /** Numbers: 1 for coefficients, 2 for state 0, 3 for 1 to 3, 4 for 4 and 5, 5 for 6 to 8. */
  @Test
  void allFacesAreGivenUpThatNobodyHasToReadAnyMore() {
    add(3);
    add(2);
    assertThat(schedule.hasGivenUp()).isFalse();
    assertThat(schedule.snapshot().loggedFrom()).isZero();

    schedule.giveUpBefore(5);

    assertThat(schedule.hasGivenUp()).isTrue();
    assertThat(schedule.logsNothing()).isTrue();
    assertThat(removed).as("state 5 may be read yet").containsExactly(2, 3);
    add(3);
    schedule.giveUpBefore(8);
    assertThat(removed).containsExactly(2, 3, 4);
    Schedule now = schedule.snapshot();
    assertThat(List.of(now.facesAt(3), now.facesAt(5), now.facesAt(6))).containsExactly(0, 0, 5);
    schedule.restore();
    assertThat(schedule.hasGivenUp()).isFalse();
    assertThat(schedule.snapshot().loggedFrom()).isZero();
    assertThat(schedule.snapshot().faces()).doesNotContain(0).doesNotHaveDuplicates();
  }

  @Test
  void facesAreLoggedAgainFromTheStateThatBecomesTheSource() {
    add(3);
    schedule.giveUpBefore(3);
    add(2);
    schedule.resume();
    assertThat(schedule.snapshot().loggedFrom()).isEqualTo(5);
    assertThat(schedule.hasGivenUp()).as("since the source that there still is").isTrue();
    add(4);

    schedule.beginAt(5);

    assertThat(schedule.hasGivenUp()).isFalse();
    assertThat(schedule.first()).isEqualTo(5);
    assertThat(removed).containsExactly(2, 3);
    schedule.resume();
    assertThat(schedule.snapshot().loggedFrom()).as("nothing was given up").isEqualTo(5);
  }

  @Test
  void aSourceAfterWhichFacesWereGivenUpNeedsAllBlocks() {
    add(2);
    schedule.giveUpBefore(2);
    schedule.resume();
    add(2);
    schedule.giveUp();
    schedule.beginAt(2);
    assertThat(schedule.hasGivenUp()).isTrue();
    schedule.resume();
    assertThat(schedule.snapshot().loggedFrom()).isEqualTo(4);
    schedule.resumeNot();
    assertThat(schedule.logsNothing()).as("its checkpoint was abandoned").isTrue();
  }

  @Test
  void aNumberHasFewStates() {
    add(2 * Schedule.STATES + 3);
    assertThat(schedule.snapshot().starts())
        .containsExactly(0, 1, 1 + Schedule.STATES, 1 + 2 * Schedule.STATES);
  }

  @Test
  void closingRemovesAllFacesOnce() {
    add(1);

    schedule.close();

    assertThat(removed).containsExactly(1, 2, 3);
  }
}
