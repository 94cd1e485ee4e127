/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.failover.FailoverEngine.Permit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DevicePermitsTest {
  private static void goOn() {}

  private final DevicePermits permits = new DevicePermits("0", 2);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void everythingIsBack() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(permits.held()).isZero();
    assertThat(permits.waiting()).isZero();
  }

  private void awaitWaiting(int count) throws InterruptedException {
    while (permits.waiting() < count) {
      Thread.sleep(1);
    }
  }

  @Test
  void aTaskHoldsOnePermitHoweverOftenItAsks() {
    Permit first = permits.acquire(1, DevicePermitsTest::goOn);
    Permit again = permits.acquire(1, DevicePermitsTest::goOn);
    Permit other = permits.acquire(2, DevicePermitsTest::goOn);
    Permit third = permits.acquire(1, DevicePermitsTest::goOn);
    assertThat(permits.held()).isEqualTo(2);
    first.close();
    first.close();
    third.close();
    assertThat(permits.held()).isEqualTo(2);
    again.close();
    other.close();
  }

  @Test
  void whoWaitsLongestIsServedFirst() throws Exception {
    Permit one = permits.acquire(1, DevicePermitsTest::goOn);
    Permit two = permits.acquire(2, DevicePermitsTest::goOn);
    List<Integer> served = Collections.synchronizedList(new ArrayList<>());
    List<Future<?>> waiting = new ArrayList<>();
    for (int task = 3; task <= 6; task++) {
      int number = task;
      waiting.add(
          threads.submit(
              () -> {
                Permit admission = permits.acquire(number, DevicePermitsTest::goOn);
                served.add(number);
                admission.close();
              }));
      awaitWaiting(task - 2);
    }
    one.close();
    for (Future<?> each : waiting) {
      each.get();
    }
    two.close();
    assertThat(served).containsExactly(3, 4, 5, 6);
  }

  @Test
  void aKilledTaskStopsWaiting() throws Exception {
    Permit one = permits.acquire(1, DevicePermitsTest::goOn);
    Permit two = permits.acquire(2, DevicePermitsTest::goOn);
    AtomicBoolean killed = new AtomicBoolean();
    Future<?> waiting =
        threads.submit(
            () ->
                permits.acquire(
                    3,
                    () -> {
                      if (killed.get()) {
                        throw new IllegalStateException("killed");
                      }
                    }));
    awaitWaiting(1);
    killed.set(true);
    assertThatThrownBy(waiting::get).hasMessageContaining("killed");
    one.close();
    two.close();
  }

  @Test
  void anInterruptedTaskStopsWaitingAndStaysInterrupted() throws Exception {
    Permit one = permits.acquire(1, DevicePermitsTest::goOn);
    Permit two = permits.acquire(2, DevicePermitsTest::goOn);
    AtomicBoolean interrupted = new AtomicBoolean();
    Future<?> waiting =
        threads.submit(
            () -> {
              try {
                permits.acquire(3, DevicePermitsTest::goOn);
              } catch (EngineUnavailableException e) {
                interrupted.set(Thread.currentThread().isInterrupted());
              }
            });
    awaitWaiting(1);
    threads.shutdownNow();
    waiting.get();
    assertThat(interrupted).isTrue();
    one.close();
    two.close();
  }

  @Test
  void neverMoreTasksThanPermits() throws Exception {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<?>> tasks = new ArrayList<>();
    for (int task = 0; task < 16; task++) {
      int number = task;
      tasks.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 200; i++) {
                  Permit admission = permits.acquire(number, DevicePermitsTest::goOn);
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  Thread.onSpinWait();
                  inside.decrementAndGet();
                  admission.close();
                }
              }));
    }
    for (Future<?> each : tasks) {
      each.get();
    }
    assertThat(most.get()).isBetween(1, 2);
  }
}
