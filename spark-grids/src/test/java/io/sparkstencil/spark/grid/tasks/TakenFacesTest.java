/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How long faces are waited for, how often others are asked, and what arrays of faces take. */
final class TakenFacesTest {
  private static final long MILLI = 1_000_000L;

  private final TakenFaces faces = new TakenFaces();

  private long waitNanos() {
    return faces.waitNanos(1, 7, () -> true);
  }

  @Test
  void whatIsNearIsLookedForEveryMillisecond() throws InterruptedException {
    faces.waitsForFar(false);
    assertThat(waitNanos()).isLessThanOrEqualTo(MILLI);
    Thread.sleep(40);
    assertThat(waitNanos()).isEqualTo(MILLI);
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

  @Test
  void aTicketIsAskedForOnceUntilItIsTimeToAskAgain() {
    AtomicInteger asked = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      assertThat(
              faces.ticket(
                  4,
                  false,
                  () -> {
                    asked.incrementAndGet();
                    return Optional.empty();
                  }))
          .isEmpty();
    }
    assertThat(asked).hasValue(1);
    byte[] found = {1};
    assertThat(faces.ticket(4, true, () -> Optional.of(found))).contains(found);
    assertThat(faces.ticket(4, false, Optional::empty)).contains(found);
    assertThat(faces.ticket(4, true, Optional::empty)).as("it is gone").isEmpty();
  }

  @Test
  void largeArraysTakeWholeRegions() {
    int region = 8 << 20;
    assertThat(FaceLog.heapBytes(1000, region)).isEqualTo(1016);
    assertThat(FaceLog.heapBytes(region / 2 - 16, region)).isEqualTo(region / 2);
    assertThat(FaceLog.heapBytes(region / 2, region)).isEqualTo(region);
    assertThat(FaceLog.heapBytes(24 << 20, 32 << 20)).isEqualTo(32 << 20);
    assertThat(FaceLog.heapBytes(24 << 20, region)).isEqualTo(32 << 20);
    assertThat(FaceLog.heapBytes(24 << 20, 1)).as("without regions").isEqualTo((24 << 20) + 16);
    assertThat(FaceLog.heapBytes(1 << 20)).isGreaterThan(1 << 20);
  }
}
