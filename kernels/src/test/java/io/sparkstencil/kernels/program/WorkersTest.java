/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkersTest {
  /** Both this thread and another fail: with an error, or with an exception. */
  @Test
  void throwsTheFailureOfAnyThreadAsItIs() {
    for (Throwable failure :
        List.of(new OutOfMemoryError("device"), new IllegalStateException("x"))) {
      for (boolean here : new boolean[] {true, false}) {
        Thread caller = Thread.currentThread();
        assertThatThrownBy(
                () ->
                    Workers.run(
                        3, () -> failIf((Thread.currentThread() == caller) == here, failure)))
            .isSameAs(failure);
      }
    }
  }

  private static void failIf(boolean wanted, Throwable failure) {
    if (wanted) {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    }
  }

  /** Else memory would be given back that the others still use. */
  @Test
  void waitsForTheOthersThoughThisThreadFailsWithAnError() {
    Thread caller = Thread.currentThread();
    AtomicInteger done = new AtomicInteger();
    AtomicBoolean failed = new AtomicBoolean();
    assertThatThrownBy(
            () ->
                Workers.run(
                    3,
                    () -> {
                      if (Thread.currentThread() == caller) {
                        failed.set(true);
                        throw new OutOfMemoryError("heap");
                      }
                      while (!failed.get()) {
                        Thread.onSpinWait();
                      }
                      sleep(50);
                      done.incrementAndGet();
                    }))
        .hasMessage("heap");
    assertThat(done).hasValue(2);
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
