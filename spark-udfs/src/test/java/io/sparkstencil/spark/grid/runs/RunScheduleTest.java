/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.grid.tasks.Schedule;
import java.util.ArrayList;
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
    for (int i = 0; i < supersteps; i++) {
      schedule.add(2, 1024);
    }

    Schedule from = schedule.fromLast();

    assertThat(from.first()).isEqualTo(supersteps);
    assertThat(from.supersteps().last()).isEqualTo(supersteps);
    assertThat(from.stepsUpTo(supersteps)).isEqualTo(7 + 2L * supersteps);
    int[] all = schedule.snapshot().faces();
    assertThat(from.faces()).containsExactly(all[supersteps / Schedule.STATES]);
    assertThat(from.coefficientFaces()).isEqualTo(schedule.snapshot().coefficientFaces());
  }

  @Test
  void theOldestFacesAreGivenUpWhereOnlySoManyAreKept() {
    for (int i = 1; i < 5 * Schedule.STATES; i++) {
      schedule.add(1, Schedule.STATES + 1);
      for (int state = Math.max(0, i - Schedule.STATES - 1); state <= i; state++) {
        assertThat(schedule.isGivenUp(state)).as("state %d of %d", state, i).isFalse();
      }
    }
    assertThat(schedule.hasGivenUp()).isTrue();
    assertThat(schedule.isGivenUp(0)).isTrue();
    assertThat(removed).containsExactly(2, 3);
    schedule.restore();
    assertThat(schedule.hasGivenUp()).isFalse();
  }

  @Test
  void closingRemovesAllFacesOnce() {
    schedule.add(1, 1024);

    schedule.close();

    assertThat(removed).containsExactly(1, 2);
  }
}
