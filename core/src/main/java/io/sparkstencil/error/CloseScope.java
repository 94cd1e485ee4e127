/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Resources that are closed together, in reverse order of addition. Each one is closed even if
 * another fails; the first failure is thrown with the others suppressed. Closing a second time has
 * no effect. Not thread-safe.
 */
public final class CloseScope implements AutoCloseable {
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Takes ownership of {@code opened} and returns it. */
  public <C extends AutoCloseable> C add(C opened) {
    open.push(opened);
    return opened;
  }

  /**
   * Closes everything after {@code failure}, typically in a constructor that opened several
   * resources.
   *
   * @return {@code failure}, with failures of closing suppressed, for the caller to throw
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

  /** Closes all resources in iteration order, with the same handling of failures. */
  public static void closeAll(Iterable<? extends AutoCloseable> closing) {
    Throwable failure = null;
    for (AutoCloseable each : closing) {
      failure = close(each, failure);
    }
    rethrow(failure);
  }

  /** Closes one resource and returns the first failure so far, or null. */
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
