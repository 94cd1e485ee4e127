/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How long faces are waited for, and how often others are asked. */
final class TakenFacesTest {
  private static final long MILLI = 1_000_000L;

  private final TakenFaces faces = new TakenFaces();

  private long waitNanos() {
    return faces.waitNanos(1, 7, () -> true, () -> false);
  }

  @Test
  void whatIsNearIsLookedForEveryMillisecond() throws InterruptedException {
    faces.waitsForFar(false);
    assertThat(waitNanos()).isLessThanOrEqualTo(MILLI);
    Thread.sleep(40);
    assertThat(waitNanos()).isEqualTo(MILLI);
  }

  @Test
  void theTimeIsThatFromTheFirstLookToTheLast() throws InterruptedException {
    assertThat(faces.endWaiting(System.nanoTime())).as("all were there at once").isZero();
    long before = System.nanoTime();
    assertThat(waitNanos()).isPositive();
    Thread.sleep(20);
    assertThat(waitNanos()).isPositive();
    long now = System.nanoTime();
    assertThat(faces.endWaiting(now)).isBetween(20 * MILLI, now - before);
    assertThat(faces.endWaiting(System.nanoTime())).as("once").isZero();
  }

  @Test
  void theDriverIsAskedMoreRarely() throws InterruptedException {
    faces.waitsForFar(true);
    assertThat(waitNanos()).isEqualTo(MILLI / 2);
    Thread.sleep(40);
    assertThat(waitNanos()).isBetween(5 * MILLI, 10 * MILLI);
    Thread.sleep(60);
    assertThat(waitNanos()).isEqualTo(10 * MILLI);
  }

  /** Over a slow network a face takes longer than it would be waited for if it were not begun. */
  @Test
  void facesThatAreBeingReceivedAreWaitedForLonger() throws InterruptedException {
    TakenFaces slow = new TakenFaces();
    assertThat(waitNanos()).isPositive();
    assertThat(slow.waitNanos(1, 7, () -> true, () -> true)).isPositive();
    Thread.sleep(2100);
    assertThat(waitNanos()).isZero();
    assertThat(slow.waitNanos(1, 7, () -> true, () -> true)).isPositive();
    assertThat(slow.waitNanos(1, 7, () -> true, () -> false)).isZero();
  }
}
