/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.failover.FailoverEngine.Permit;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many tasks may use a device at once. Who waits longest is served first; a task that has a
 * permit gets further ones at once, so that it cannot wait for itself. Safe for many threads.
 */
final class DevicePermits {
  private static final long LOOK_MILLIS = 100;

  private final String device;
  private final int permits;
  private final ReentrantLock lock = new ReentrantLock();
  // Changed under the lock, counted without it.
  private final Map<Long, Integer> holders = new ConcurrentHashMap<>();
  private final Queue<Condition> queue = new ConcurrentLinkedQueue<>();

  /** Creates permits for {@code permits} tasks; {@code device} is for messages. */
  DevicePermits(String device, int permits) {
    this.device = device;
    this.permits = permits;
  }

  /**
   * Waits for a permit.
   *
   * @param task the task's attempt
   * @param checkpoint called while waiting; throws if the task is to end
   */
  Permit acquire(long task, Runnable checkpoint) {
    lock.lock();
    try {
      if (mustWait(task)) {
        await(checkpoint);
      }
      return granted(task);
    } finally {
      lock.unlock();
    }
  }

  /** Returns a permit if there is one at this moment. */
  Optional<Permit> tryAcquire(long task) {
    lock.lock();
    try {
      return mustWait(task) ? Optional.empty() : Optional.of(granted(task));
    } finally {
      lock.unlock();
    }
  }

  private boolean mustWait(long task) {
    return !holders.containsKey(task) && (holders.size() >= permits || !queue.isEmpty());
  }

  private Permit granted(long task) {
    holders.merge(task, 1, Integer::sum);
    AtomicBoolean released = new AtomicBoolean();
    return () -> {
      if (released.compareAndSet(false, true)) {
        release(task);
      }
    };
  }

  private void await(Runnable checkpoint) {
    Condition turn = lock.newCondition();
    queue.add(turn);
    try {
      while (queue.peek() != turn || holders.size() >= permits) {
        checkpoint.run();
        Cancellation.await(() -> turn.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      checkpoint.run();
      throw new EngineUnavailableException(
          "interrupted while waiting for a turn on device " + device, e);
    } finally {
      queue.remove(turn);
      wakeNext();
    }
  }

  private void release(long task) {
    lock.lock();
    try {
      if (holders.merge(task, -1, Integer::sum) == 0) {
        holders.remove(task);
        wakeNext();
      }
    } finally {
      lock.unlock();
    }
  }

  private void wakeNext() {
    Condition next = queue.peek();
    if (next != null) {
      next.signal();
    }
  }

  /** Returns the number of tasks that have a permit. */
  int held() {
    return holders.size();
  }

  /** Returns the number of tasks that wait. */
  int waiting() {
    return queue.size();
  }
}
