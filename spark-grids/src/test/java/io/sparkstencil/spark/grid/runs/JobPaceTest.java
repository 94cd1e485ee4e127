/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Jobs take as many supersteps as last about a second. */
final class JobPaceTest {
  private final JobPace pace = new JobPace();

  /**
   * Learns from jobs whose supersteps take some milliseconds each, and returns what the last took.
   */
  private long lastMillis(long superstepMillis) {
    for (int job = 0; job < 20; job++) {
      pace.took(
          pace.supersteps(), TimeUnit.MILLISECONDS.toNanos(pace.supersteps() * superstepMillis));
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
    pace.took(1, TimeUnit.MILLISECONDS.toNanos(10));
    pace.took(1, TimeUnit.MILLISECONDS.toNanos(10));

    assertThat(pace.supersteps()).isEqualTo(2);
  }

  /** A task that waits for a core of its executor for 3 s is taken elsewhere by Spark. */
  @Test
  void blocksThatComeBackTakeAboutASecondAtOnce() {
    assertThat(pace.atOnce(1)).as("nothing is known").isEqualTo(1);
    lastMillis(100);
    assertThat(pace.atOnce(1)).isEqualTo(10);
    assertThat(pace.atOnce(0.5)).as("fewer than usual may still be on one core").isEqualTo(10);
    assertThat(pace.atOnce(2)).isEqualTo(5);
    assertThat(pace.atOnce(100)).isEqualTo(1);
  }

  @Test
  void aSuperstepThatWaitsForLostBlocksIsNotTakenAsUsual() {
    pace.took(1, TimeUnit.SECONDS.toNanos(4));
    pace.took(2, TimeUnit.MILLISECONDS.toNanos(400));
    assertThat(pace.superstepSeconds()).isEqualTo(0.2, within(1e-9));

    pace.took(1, TimeUnit.SECONDS.toNanos(5));

    assertThat(pace.superstepSeconds()).isEqualTo(0.22, within(1e-9));
  }
}
