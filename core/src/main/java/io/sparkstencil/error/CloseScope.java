/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What has to be closed together: the last that was added first, and each one even if another one
 * fails. Closing throws the first failure with the others suppressed, and a second time does
 * nothing. Used by one thread.
 */
public final class CloseScope implements AutoCloseable {
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Takes {@code opened} over and returns it. */
  public <C extends AutoCloseable> C add(C opened) {
    open.push(opened);
    return opened;
  }

  /**
   * Closes everything after {@code failure}, typically that of a constructor which opened several
   * things.
   *
   * @return {@code failure}, with those of closing suppressed, for the caller to throw
   */
  public <E extends Throwable> E closeAfter(E failure) {
    while (!open.isEmpty()) {
      close(open.pop(), failure);
    }
    return failure;
  }

  @Override
  public void close() {
    Throwable failure = null;
    while (!open.isEmpty()) {
      failure = close(open.pop(), failure);
    }
    rethrow(failure);
  }

  /** Closes all of {@code closing} in their order, as a scope does. */
  public static void closeAll(Iterable<? extends AutoCloseable> closing) {
    Throwable failure = null;
    for (AutoCloseable each : closing) {
      failure = close(each, failure);
    }
    rethrow(failure);
  }

  /** Closes one and returns the first failure so far, or null. */
  private static Throwable close(AutoCloseable closing, Throwable before) {
    try {
      closing.close();
      return before;
    } catch (Throwable now) {
      if (before == null) {
        return now;
      }
      if (before != now) {
        before.addSuppressed(now);
      }
      return before;
    }
  }

  private static void rethrow(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure != null) {
      throw new IllegalStateException("closing failed: " + failure.getMessage(), failure);
    }
  }
}
