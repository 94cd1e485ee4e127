/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Whether the work of a thread is still wanted. Every loop that can last longer than a tenth of a
 * second asks between its parts, each of which takes less. Work ends when what runs its thread says
 * so, as Spark does of a task, with or without an interrupt; where nothing runs the thread, when it
 * is interrupted. A thread of a task may be found interrupted although the task is wanted, by what
 * functions of users have left behind.
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

    /**
     * Throws an exception if the work of this thread is to end.
     *
     * @return whether this knows anything of the thread
     */
    default boolean ask() {
      Runnable question = question();
      if (question != null) {
        question.run();
      }
      return question != null;
    }
  }

  /** What a thread waits for, or does with files, which an interrupt ends. */
  @FunctionalInterface
  public interface Interruptible<T, E extends Exception> {
    /** Waits. */
    T run() throws E, InterruptedException;
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
   * @throws CancelledException if the thread was interrupted, which it still is then, and nothing
   *     else decides
   */
  public static void ask() {
    Cancellation helped = HELPED.get();
    if (helped != null) {
      helped.check();
    } else if (!askSources()) {
      requireUninterrupted(Thread.currentThread());
    }
  }

  /** Returns whether a source knows this thread. */
  private static boolean askSources() {
    boolean known = false;
    for (Source source : SOURCES) {
      known |= source.ask();
    }
    return known;
  }

  /**
   * Does what an interrupt ends. If the thread has been interrupted before, although its work is
   * wanted, this goes on as if it had not been, and leaves it interrupted as it was.
   *
   * @throws InterruptedException if the thread is interrupted and nothing else decides, or it is
   *     interrupted now
   */
  public static <T, E extends Exception> T await(Interruptible<T, E> wait)
      throws E, InterruptedException {
    boolean left = putInterruptAside();
    try {
      return wait.run();
    } finally {
      if (left) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Has this thread go on as if it had not been interrupted, if its work is wanted although it was.
   *
   * @return whether it is to be interrupted again afterwards
   */
  public static boolean putInterruptAside() {
    if (!Thread.interrupted()) {
      return false;
    }
    boolean wanted = false;
    try {
      wanted = HELPED.get() == null && askSources();
    } finally {
      if (!wanted) {
        Thread.currentThread().interrupt();
      }
    }
    return wanted;
  }

  /**
   * Does what an interrupt ends, as {@link #await} does.
   *
   * @throws CancelledException if that is interrupted, as the thread is then
   */
  public static <T, E extends Exception> T call(Interruptible<T, E> work) throws E {
    try {
      return await(work);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(Thread.currentThread());
    }
  }

  /** Returns whether this thread is interrupted, and that means that its work is to end. */
  public static boolean isInterrupted() {
    if (!Thread.currentThread().isInterrupted() || HELPED.get() != null) {
      return Thread.currentThread().isInterrupted();
    }
    for (Source source : SOURCES) {
      if (source.question() != null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Ends the work of the thread whose cancellation this is, or of one that helps it, if it is not
   * wanted any more.
   *
   * @throws CancelledException if the helper was interrupted, or the other thread and nothing else
   *     decides of that
   */
  public void check() {
    for (Runnable question : questions) {
      question.run();
    }
    if (questions.isEmpty()) {
      requireUninterrupted(owner);
    }
    if (Thread.currentThread() != owner) {
      requireUninterrupted(Thread.currentThread());
    }
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
      throw interrupted(thread);
    }
  }

  private static CancelledException interrupted(Thread thread) {
    return new CancelledException(
        "the work of thread %s has ended, as it was interrupted".formatted(thread.getName()));
  }
}
