/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.error.AwaitedFailure;
import io.sparkstencil.error.Cancellation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that share the pieces of some work with the thread that waits for them. */
final class Workers {
  private Workers() {}

  /**
   * Runs the same work in several threads, this one among them, and waits for all.
   *
   * @param threads the number of threads, at least 1
   * @param work takes pieces until none is left
   */
  static void run(int threads, Runnable work) {
    if (threads == 1) {
      work.run();
      return;
    }
    Runnable helping = Cancellation.ofThread().helping(work);
    ExecutorService pool = Executors.newFixedThreadPool(threads - 1);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 1; i < threads; i++) {
      running.add(pool.submit(helping));
    }
    pool.shutdown();
    ExecutionException failure = null;
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      failure = new ExecutionException(e);
    }
    for (Future<?> each : running) {
      ExecutionException other = await(each);
      failure = failure == null ? other : failure;
    }
    if (failure != null) {
      throw AwaitedFailure.of(failure);
    }
  }

  /**
   * Waits for a thread, whose memory must not be given back before; returns its failure or null.
   */
  private static ExecutionException await(Future<?> running) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          running.get();
          return null;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          return e;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
