/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.catalyst.plan.SeriesShuffleRule;
import io.sparkstencil.spark.catalyst.plan.WindowStrategy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Option;

/** What planning does with failures of ours. */
final class GuardedTest {
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Logger logger = Logger.getLogger(Guarded.class.getName());
  private final Level level = logger.getLevel();
  private final Thread thread = Thread.currentThread();
  private final String before = System.getProperty(Guarded.TESTING, "false");
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (Thread.currentThread() == thread) { // others may be planning
            said.add(line.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setLevel(Level.INFO); // whatever the process has for all
    System.setProperty(Guarded.TESTING, "false");
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(handler);
    logger.setLevel(level);
    System.setProperty(Guarded.TESTING, before);
  }

  private static String failing(Throwable failure) {
    return Guarded.plan(
        GuardedTest.class,
        "Spark's",
        () -> {
          throw ScalaInterop.<RuntimeException>sneaky(failure);
        });
  }

  @Test
  void leavesToSparkWhatARuleDoesNotKnowAndSaysSoInOneLine() {
    assertThat(Guarded.plan(GuardedTest.class, "Spark's", () -> "ours")).isEqualTo("ours");
    assertThat(said).isEmpty();
    assertThat(failing(new ClassCastException("odd"))).isEqualTo("Spark's");
    assertThat(failing(new NoSuchMethodError("gone"))).isEqualTo("Spark's");
    assertThat(failing(new AssertionError("wrong"))).isEqualTo("Spark's");
    assertThat(said)
        .containsExactly(
            "Spark plans without GuardedTest, which failed unexpectedly; please report: java.lang.ClassCastException: odd",
            "Spark plans without GuardedTest, which failed unexpectedly; please report: java.lang.NoSuchMethodError: gone",
            "Spark plans without GuardedTest, which failed unexpectedly; please report: java.lang.AssertionError: wrong");
  }

  @Test
  void errorsOfTheMachineAndInterruptsPass() {
    for (Throwable each :
        List.of(
            new OutOfMemoryError("none left"),
            new StackOverflowError("too deep"),
            new InterruptedException("stop"))) {
      assertThatThrownBy(() -> failing(each)).isSameAs(each);
    }
    assertThat(said).isEmpty();
  }

  @Test
  void testsSeeTheFailure() {
    System.setProperty(Guarded.TESTING, "true");
    ClassCastException odd = new ClassCastException("odd");
    assertThatThrownBy(() -> failing(odd)).isSameAs(odd);
    assertThat(said).isEmpty();
  }

  /** There are no expressions where a list of them should be. */
  private static Window brokenWindow() {
    LocalRelation none =
        new LocalRelation(
            ScalaInterop.<Attribute>seqOf(), ScalaInterop.seqOf(), false, Option.empty());
    return new Window(null, ScalaInterop.seqOf(), ScalaInterop.seqOf(), none, Option.empty());
  }

  @Test
  void theStrategyOfWindowsAndTheRulesAreGuarded() {
    assertThat(ScalaInterop.list(new WindowStrategy().apply(brokenWindow()))).isEmpty();
    assertThat(new SeriesShuffleRule().apply((org.apache.spark.sql.execution.SparkPlan) null))
        .isNull();
    assertThat(said).hasSize(2);
    System.setProperty(Guarded.TESTING, "true");
    assertThatThrownBy(() -> new WindowStrategy().apply(brokenWindow()))
        .isInstanceOf(NullPointerException.class);
  }
}
