/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Kills an executor at the end of a superstep, or stops it for a while. */
final class Killer implements GridListener {
  private final AtomicInteger supersteps = new AtomicInteger();
  private final AtomicReference<Runnable> deed = new AtomicReference<>();
  private volatile int moment;

  void killAfter(int more, ProcessHandle process) {
    after(more, process::destroyForcibly); // signal 9
  }

  /** Stops a process as a host does that has too much to do. */
  void stopAfter(int more, ProcessHandle process, long millis) {
    after(
        more,
        () -> {
          signal("STOP", process);
          CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS)
              .execute(() -> signal("CONT", process));
        });
  }

  private void after(int more, Runnable what) {
    moment = supersteps.get() + more;
    deed.set(what);
  }

  private static void signal(String name, ProcessHandle process) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether what was to be done was begun. */
  boolean isDone() {
    return deed.get() == null;
  }

  @Override
  public void progressed(GridProgress progress) {
    if (supersteps.incrementAndGet() >= moment) {
      Runnable due = deed.getAndSet(null);
      if (due != null) {
        due.run();
      }
    }
  }
}
