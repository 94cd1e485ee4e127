/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * What other executors answer about blocks. They may be late, or gone, which Spark finds out after
 * many seconds: whoever steps does not wait for them. Belongs to the thread that uses a block.
 */
final class LateAnswers<T> {
  /** So long an answer is waited for where there is nothing else to do, then it is looked after. */
  private static final long SLOW_MILLIS = 200;

  /** The first answer is worth to be waited for so long. */
  private static final long FIRST_MILLIS = 50;

  private final Map<Integer, T> answers = new HashMap<>();
  private final Map<Integer, Open<T>> open = new HashMap<>();
  private final Set<Integer> asked = new HashSet<>();

  /** Whether others are asked. */
  enum Asking {
    /** Nobody is. */
    NOT,
    /** Only if they never were. */
    ONCE,
    /** Their answer is taken at a later look. */
    MEANWHILE,
    /** Their answer is waited for, as this is the last look. */
    NOW
  }

  /**
   * A question about a block.
   *
   * @param answer asks others
   * @param hasAnswer whether there is somebody to ask
   */
  record Question<T>(Callable<Optional<T>> answer, BooleanSupplier hasAnswer) {}

  /** A question that was not answered yet. */
  private record Open<T>(Future<Optional<T>> answer, long since) {}

  /** Asks, and returns the latest answer; nothing if there is none, or none yet. */
  Optional<T> look(int block, Asking asking, Question<T> question, ExecutorService threads) {
    boolean first = asking != Asking.NOT && asked.add(block);
    boolean waits = asking == Asking.NOW;
    if (waits && open.containsKey(block)) {
      take(block, 0); // it may have been asked too early, and is asked again
    }
    if (!open.containsKey(block) && (first || asking.compareTo(Asking.ONCE) > 0)) {
      open.put(block, new Open<>(threads.submit(question.answer()), System.nanoTime()));
    }
    while (open.containsKey(block)
        && !take(block, waits ? SLOW_MILLIS : first ? FIRST_MILLIS : 0)
        && (waits || (asking == Asking.MEANWHILE && isLate(block)))) {
      if (!question.hasAnswer().getAsBoolean()) {
        forget(block);
      } else if (!waits) {
        break;
      }
    }
    return Optional.ofNullable(answers.get(block));
  }

  private boolean isLate(int block) {
    return System.nanoTime() - open.get(block).since() > TimeUnit.MILLISECONDS.toNanos(SLOW_MILLIS);
  }

  /** Takes an answer that is there after so long; returns whether it is. */
  private boolean take(int block, long millis) {
    try {
      Optional<T> answer = open.get(block).answer().get(millis, TimeUnit.MILLISECONDS);
      open.remove(block);
      answer.ifPresentOrElse(now -> answers.put(block, now), () -> answers.remove(block));
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      forget(block);
      return true;
    } catch (ExecutionException e) {
      open.remove(block); // also if it is an error: whoever repeats the task asks again
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      answers.remove(block); // who had it is gone
    }
    return true;
  }

  /** Forgets the answer about a block, and what it was asked. */
  void forget(int block) {
    answers.remove(block);
    asked.remove(block);
    Open<T> question = open.remove(block);
    if (question != null) {
      question.answer().cancel(true);
    }
  }

  /** Forgets everything. */
  void forgetAll() {
    answers.clear();
    asked.clear();
    open.values().forEach(question -> question.answer().cancel(true));
    open.clear();
  }
}
