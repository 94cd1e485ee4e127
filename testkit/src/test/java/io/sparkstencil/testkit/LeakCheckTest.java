/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
  @Test
  void waitsForWhatIsClosedLate() {
    AtomicInteger looks = new AtomicInteger();
    LeakCheck leaks = new LeakCheck().watch("things", () -> looks.incrementAndGet() < 5 ? 1 : 0);
    assertThatCode(leaks::verify).doesNotThrowAnyException();
  }

  @Test
  void namesWhatIsLeftOpen() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "leak-check-test-1");
    thread.start();
    try {
      LeakCheck leaks =
          new LeakCheck()
              .watch("leases", () -> 3)
              .watch("lanes", () -> 0)
              .watchThreads("leak-check-test");
      assertThatThrownBy(leaks::verify)
          .isInstanceOf(AssertionError.class)
          .hasMessage("left open: 3 leases, 1 threads leak-check-test*");
    } finally {
      end.countDown();
      thread.join();
    }
  }
}
