/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.error.CancelledException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicReference;

/** Work that would go on for a very long time, and ends soon once its thread is interrupted. */
public final class EndedWork {
  private static final long BEFORE_MILLIS = 150;
  private static final double SOON_MILLIS = 1000;

  private EndedWork() {}

  /** Returns a second; more on a machine with more to do than it has cores. */
  public static long soonMillis() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return (long) (SOON_MILLIS * Math.max(1, load / Runtime.getRuntime().availableProcessors()));
  }

  /** Begins some work in a thread of its own, interrupts it and checks how it ends. */
  public static void requireEndsSoon(String what, Runnable work) throws InterruptedException {
    AtomicReference<Throwable> ending = new AtomicReference<>();
    Thread thread = new Thread(work, what);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((ended, thrown) -> ending.set(thrown));
    thread.start();
    thread.join(BEFORE_MILLIS);
    assertThat(ending.get()).as("%s goes on until it is told to end", what).isNull();
    assertThat(thread.isAlive()).as("%s takes more than a moment", what).isTrue();

    thread.interrupt();
    thread.join(soonMillis());

    StackTraceElement[] where = thread.getStackTrace();
    assertThat(where).as("%s still runs after a second, at", what).isEmpty();
    assertThat(ending.get()).as(what).isInstanceOf(CancelledException.class);
  }
}
