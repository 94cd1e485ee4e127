/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.grid.tasks.LateAnswers.Asking;
import io.sparkstencil.spark.grid.tasks.LateAnswers.Question;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Others are asked while whoever uses a block goes on. */
@Timeout(20)
final class LateAnswersTest {
  private static final int BLOCK = 4;

  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final LateAnswers<String> answers = new LateAnswers<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicBoolean there = new AtomicBoolean(true);
  private final CountDownLatch late = new CountDownLatch(1);
  private final CountDownLatch cancelled = new CountDownLatch(1);

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private Optional<String> look(Asking asking, Optional<String> answer) {
    Question<String> question =
        new Question<>(
            () -> {
              asked.incrementAndGet();
              return answer;
            },
            there::get);
    return answers.look(BLOCK, asking, question, threads);
  }

  private Optional<String> lookLate(Asking asking) {
    Question<String> question =
        new Question<>(
            () -> {
              asked.incrementAndGet();
              try {
                late.await();
              } catch (InterruptedException e) {
                cancelled.countDown();
                throw e;
              }
              return Optional.of("late");
            },
            there::get);
    return answers.look(BLOCK, asking, question, threads);
  }

  private static long millis(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  @Test
  void nobodyIsAskedMoreThanOnceUntilItIsTimeTo() {
    assertThat(look(Asking.NOT, Optional.of("a"))).isEmpty();
    assertThat(asked).hasValue(0);
    assertThat(look(Asking.NOW, Optional.empty())).isEmpty();
    for (int i = 0; i < 3; i++) {
      assertThat(look(Asking.ONCE, Optional.of("a"))).isEmpty();
    }
    assertThat(asked).hasValue(1);
    assertThat(look(Asking.NOW, Optional.of("b"))).contains("b");
    assertThat(look(Asking.ONCE, Optional.empty())).contains("b");
    assertThat(look(Asking.NOW, Optional.empty())).as("it is gone").isEmpty();
    answers.forget(BLOCK);
    assertThat(look(Asking.NOW, Optional.of("c"))).contains("c");
    answers.forgetAll();
    assertThat(look(Asking.NOT, Optional.empty())).isEmpty();
  }

  @Test
  void whoStepsDoesNotWaitForAnAnswerThatIsLate() throws InterruptedException {
    assertThat(millis(() -> assertThat(lookLate(Asking.ONCE)).isEmpty())).isLessThan(2000);
    for (int i = 0; i < 30; i++) {
      assertThat(lookLate(Asking.MEANWHILE)).isEmpty();
      Thread.sleep(10);
    }
    assertThat(asked).as("it was not answered yet").hasValue(1);
    late.countDown();
    while (lookLate(Asking.NOT).isEmpty()) {
      Thread.sleep(1);
    }
    assertThat(lookLate(Asking.NOT)).contains("late");
    assertThat(asked).hasValue(1);
  }

  @Test
  void theLastLookWaitsForAnAnswer() {
    Thread later = new Thread(late::countDown);
    assertThat(lookLate(Asking.ONCE)).isEmpty();
    later.start();
    assertThat(lookLate(Asking.NOW)).contains("late");
  }

  @Test
  void nobodyWaitsForOneThatIsGone() throws InterruptedException {
    there.set(false);
    assertThat(lookLate(Asking.NOW)).isEmpty();
    assertThat(cancelled.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(lookLate(Asking.ONCE)).isEmpty();
    Thread.sleep(250);
    assertThat(lookLate(Asking.MEANWHILE)).as("it is looked after").isEmpty();
    assertThat(asked).hasValue(2);
    assertThat(lookLate(Asking.ONCE)).as("asked again").isEmpty();
    while (asked.get() < 3) {
      Thread.sleep(1);
    }
  }

  @Test
  void whatFailsHasNoAnswerButErrorsAreThrown() {
    assertThat(look(Asking.NOW, Optional.of("a"))).contains("a");
    Question<String> fails =
        new Question<>(
            () -> {
              throw new IllegalStateException("the connection is broken");
            },
            there::get);
    assertThat(answers.look(BLOCK, Asking.NOW, fails, threads)).isEmpty();
    Question<String> ends =
        new Question<>(
            () -> {
              throw new OutOfMemoryError("for a test");
            },
            there::get);
    assertThatThrownBy(() -> answers.look(BLOCK, Asking.NOW, ends, threads))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(look(Asking.NOW, Optional.of("c"))).as("asked again").contains("c");
  }

  /** What was not there when it was asked for may be there at the last look. */
  @Test
  void theLastLookTakesNoAnswerOfAnEarlierQuestion() throws InterruptedException {
    assertThat(look(Asking.ONCE, Optional.empty())).isEmpty();
    CountDownLatch answered = new CountDownLatch(1);
    Question<String> early =
        new Question<>(
            () -> {
              late.await();
              answered.countDown();
              return Optional.empty();
            },
            there::get);
    assertThat(answers.look(BLOCK, Asking.MEANWHILE, early, threads)).isEmpty();
    late.countDown();
    answered.await();
    Thread.sleep(50);
    assertThat(look(Asking.NOW, Optional.of("there"))).contains("there");
  }
}
