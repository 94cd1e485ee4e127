/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Whether the work of a thread is still wanted. Every loop that can last longer than a tenth of a
 * second asks between its parts, each of which takes less. Work ends when its thread is
 * interrupted, or when what runs the thread says so: Spark kills a task without an interrupt.
 *
 * <p>Threads that help another one ask for that one: either they are given its cancellation, or
 * their work is {@link #helping} it.
 */
public final class Cancellation {
  /** An array: who asks often allocates nothing. */
  private static final Source[] SOURCES =
      ServiceLoader.load(Source.class, Cancellation.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .toArray(Source[]::new);

  /** Whom this thread helps; null for nobody. */
  private static final ThreadLocal<Cancellation> HELPED = new ThreadLocal<>();

  private final Thread owner;
  private final List<Runnable> questions;

  private Cancellation(Thread owner, List<Runnable> questions) {
    this.owner = owner;
    this.questions = questions;
  }

  /** What may want the work of threads ended; found on the class path. */
  public interface Source {
    /**
     * Returns what throws an exception once the work of this thread is to end; null if this knows
     * nothing of the thread. It may be run by other threads.
     */
    Runnable question();

    /** Throws an exception if the work of this thread is to end. */
    default void ask() {
      Runnable question = question();
      if (question != null) {
        question.run();
      }
    }
  }

  /** Returns the cancellation of this thread's work, for the threads that help it. */
  public static Cancellation ofThread() {
    Cancellation helped = HELPED.get();
    if (helped != null) {
      return helped;
    }
    List<Runnable> questions = new ArrayList<>(SOURCES.length);
    for (Source source : SOURCES) {
      Runnable question = source.question();
      if (question != null) {
        questions.add(question);
      }
    }
    return new Cancellation(Thread.currentThread(), questions);
  }

  /**
   * Ends this thread's work if it is not wanted any more.
   *
   * @throws CancelledException if the thread was interrupted, which it still is then
   */
  public static void ask() {
    Cancellation helped = HELPED.get();
    if (helped != null) {
      helped.check();
      return;
    }
    for (Source source : SOURCES) {
      source.ask();
    }
    requireUninterrupted(Thread.currentThread());
  }

  /**
   * Ends the work of the thread whose cancellation this is, or of one that helps it, if it is not
   * wanted any more.
   *
   * @throws CancelledException if the one or the other was interrupted
   */
  public void check() {
    for (Runnable question : questions) {
      question.run();
    }
    requireUninterrupted(owner);
    requireUninterrupted(Thread.currentThread());
  }

  /**
   * Returns work that, in whatever thread it runs, asks for the thread whose cancellation this is.
   */
  public Runnable helping(Runnable work) {
    return () -> {
      Cancellation before = HELPED.get();
      HELPED.set(this);
      try {
        work.run();
      } finally {
        if (before == null) {
          HELPED.remove();
        } else {
          HELPED.set(before);
        }
      }
    };
  }

  private static void requireUninterrupted(Thread thread) {
    if (thread.isInterrupted()) {
      throw new CancelledException(
          "the work of thread %s has ended, as it was interrupted".formatted(thread.getName()));
    }
  }
}
