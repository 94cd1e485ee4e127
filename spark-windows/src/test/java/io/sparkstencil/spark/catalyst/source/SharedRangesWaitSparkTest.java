/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operators that share a shuffle wait for the one that makes it. */
@WithSpark
@Timeout(30)
final class SharedRangesWaitSparkTest {
  private static final RangeStage.Ranges MADE = new RangeStage.Ranges(null, null);

  private static SparkSession spark;

  private final SharedRanges shared =
      SharedRanges.of(
          null,
          ((org.apache.spark.sql.classic.Dataset<Row>) spark.range(9).toDF())
              .queryExecution()
              .sparkPlan(),
          ScalaInterop.seqOf());
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private FutureTask<RangeStage.Ranges> first;
  private FutureTask<RangeStage.Ranges> second;
  private volatile RuntimeException failure;
  private volatile boolean secondMakes;
  private Thread waiting;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  /** Lets a thread make the shuffle and another wait for it. */
  @BeforeEach
  void begin() throws InterruptedException {
    first = new FutureTask<>(() -> shared.ranges(this::make));
    second = new FutureTask<>(() -> shared.ranges(this::makeAgain));
    new Thread(first).start();
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    waiting = new Thread(second);
    waiting.start();
    while (waiting.getState() == Thread.State.NEW || waiting.getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
  }

  @AfterEach
  void end() {
    goOn.countDown();
  }

  private RangeStage.Ranges make() {
    begun.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (failure != null) {
      throw failure;
    }
    return MADE;
  }

  private RangeStage.Ranges makeAgain() {
    secondMakes = true;
    return MADE;
  }

  private static RangeStage.Ranges neverMake() {
    throw new AssertionError("the shuffle is there");
  }

  @Test
  void allHaveTheShuffleThatTheFirstMakes() throws Exception {
    goOn.countDown();
    assertThat(first.get()).isSameAs(MADE);
    assertThat(second.get()).isSameAs(MADE);
    assertThat(shared.ranges(SharedRangesWaitSparkTest::neverMake)).isSameAs(MADE);
    assertThat(secondMakes).isFalse();
  }

  @Test
  void whoWaitsCanBeInterrupted() {
    waiting.interrupt();
    assertThatThrownBy(() -> second.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(first.isDone()).isFalse();
  }

  @Test
  void whoWaitsFailsWithTheFirstAndWhoComesLaterTriesAgain() throws Exception {
    failure = new IllegalStateException("cancelled");
    goOn.countDown();
    assertThatThrownBy(first::get).hasCause(failure);
    assertThatThrownBy(second::get).hasCause(failure);
    assertThat(secondMakes).isFalse();
    failure = null;
    assertThat(shared.ranges(this::make)).isSameAs(MADE);
    assertThat(shared.ranges(SharedRangesWaitSparkTest::neverMake)).isSameAs(MADE);
  }
}
