/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Jobs take as many supersteps as last about a second. */
final class JobPaceTest {
  /** Those of an executor. */
  private static final int BLOCKS = 2;

  private JobPace pace = new JobPace(TimeUnit.SECONDS.toNanos(3));

  /**
   * Learns from jobs whose supersteps take some milliseconds each, and returns what the last took.
   */
  private long lastMillis(long superstepMillis) {
    for (int job = 0; job < 20; job++) {
      pace.took(
          pace.supersteps(),
          TimeUnit.MILLISECONDS.toNanos(pace.supersteps() * superstepMillis),
          BLOCKS);
    }
    return pace.supersteps() * superstepMillis;
  }

  @Test
  void jobsOfShortSuperstepsGrowUntilTheyLastSomeSeconds() {
    assertThat(pace.supersteps()).isEqualTo(1);
    assertThat(lastMillis(10)).isBetween(1000L, 3000L);
    assertThat(lastMillis(300)).as("longer supersteps").isBetween(1000L, 3000L);
  }

  @Test
  void jobsHaveOneSuperstepThatLastsLong() {
    assertThat(lastMillis(5)).isBetween(1000L, 3000L);
    assertThat(lastMillis(5000)).isEqualTo(5000);
  }

  @Test
  void jobsAreBoundedHoweverShortSuperstepsAre() {
    assertThat(lastMillis(0)).isZero();
    assertThat(pace.supersteps()).isEqualTo(256);
  }

  @Test
  void jobsOfFewerSuperstepsThanPlannedChangeNothing() {
    pace.took(1, TimeUnit.MILLISECONDS.toNanos(10), BLOCKS);
    pace.took(1, TimeUnit.MILLISECONDS.toNanos(10), BLOCKS);

    assertThat(pace.supersteps()).isEqualTo(2);
  }

  /** A task that waits for a core of its executor for 3 s is taken elsewhere by Spark. */
  @Test
  void blocksThatComeBackTakeAboutASecondAtOnce() {
    assertThat(pace.atOnce(BLOCKS)).as("nothing is known").isEqualTo(1);
    lastMillis(100);
    assertThat(pace.atOnce(BLOCKS)).isEqualTo(10);
    assertThat(pace.atOnce(1)).as("fewer than usual may still be on one core").isEqualTo(10);
    assertThat(pace.atOnce(2 * BLOCKS)).isEqualTo(5);
    assertThat(pace.atOnce(100 * BLOCKS)).isEqualTo(1);
  }

  @Test
  void jobsAreShorterWhereTasksWaitLess() {
    pace = new JobPace(TimeUnit.MILLISECONDS.toNanos(600));
    assertThat(lastMillis(20)).isBetween(200L, 600L);
    assertThat(pace.atOnce(BLOCKS)).as("a third of it").isEqualTo(10);
  }

  @Test
  void jobsAreAsLongAsEverWhereTasksDoNotWait() {
    for (long waitNanos : new long[] {0, -1_000_000}) {
      pace = new JobPace(waitNanos);
      assertThat(lastMillis(20)).isBetween(1000L, 3000L);
      assertThat(pace.atOnce(BLOCKS)).isEqualTo(50);
    }
  }

  /** So an executor with more blocks than usual is known to be slower before it was. */
  @Test
  void aSuperstepTakesAsLongAsItsExecutorHasBlocks() {
    pace.took(1, TimeUnit.MILLISECONDS.toNanos(200), BLOCKS);
    pace.took(1, TimeUnit.MILLISECONDS.toNanos(400), 2 * BLOCKS);
    assertThat(pace.blockSeconds()).isEqualTo(0.1, within(1e-9));
  }

  @Test
  void aSuperstepThatWaitsForLostBlocksIsNotTakenAsUsual() {
    pace.took(1, TimeUnit.SECONDS.toNanos(4), BLOCKS);
    pace.took(2, TimeUnit.MILLISECONDS.toNanos(400), BLOCKS);
    assertThat(pace.blockSeconds()).isEqualTo(0.1, within(1e-9));

    pace.took(1, TimeUnit.SECONDS.toNanos(5), BLOCKS);

    assertThat(pace.blockSeconds()).isEqualTo(0.11, within(1e-9));
  }
}
