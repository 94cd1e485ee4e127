/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a runtime holds for others without knowing it. */
final class ResidentTest {
  private static class Shelf implements Resident {
    private final List<Long> closedWith = new ArrayList<>();

    @Override
    public void show(MetricRegistry metrics) {
      metrics.register("shelf.books", (Gauge<Integer>) () -> 3);
    }

    @Override
    public void close(long patienceMillis) {
      closedWith.add(patienceMillis);
    }
  }

  /** Takes all the time that it is given. */
  private static final class SlowShelf extends Shelf {
    @Override
    public void show(MetricRegistry metrics) {}

    @Override
    public void close(long patienceMillis) {
      super.close(patienceMillis);
      try {
        Thread.sleep(patienceMillis);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private final MetricRegistry metrics = new MetricRegistry();
  private final ExecutorRuntime runtime =
      new ExecutorRuntime(
          new RuntimeSetup(
              new StencilConf(Map.of(StencilOptions.SHUTDOWN_TIMEOUT.key(), "70")),
              List.of(),
              List.of(),
              true,
              metrics,
              code -> {}),
          null);

  @AfterEach
  void close() {
    runtime.close();
  }

  @Test
  void isMadeOnceAndShowsItsGauges() {
    Shelf shelf = runtime.resident(Shelf.class, conf -> new Shelf());

    assertThat(runtime.resident(Shelf.class, conf -> new Shelf())).isSameAs(shelf);
    assertThat(metrics.getGauges().get("shelf.books").getValue()).isEqualTo(3);
  }

  @Test
  void isClosedOnceWithTheRuntimeAndItsPatience() {
    Shelf shelf = runtime.resident(Shelf.class, conf -> new Shelf());
    runtime.close();
    runtime.close();

    assertThat(shelf.closedWith).hasSize(1);
    assertThat(shelf.closedWith.get(0)).isBetween(1L, 70L);
  }

  @Test
  void allResidentsTogetherHaveThePatienceOfTheRuntime() {
    Shelf slow = runtime.resident(SlowShelf.class, conf -> new SlowShelf());
    Shelf late = runtime.resident(Shelf.class, conf -> new Shelf());
    runtime.close();

    assertThat(slow.closedWith).hasSize(1);
    assertThat(late.closedWith).containsExactly(0L);
  }

  @Test
  void isNotMadeWhileTheRuntimeEnds() {
    runtime.close();

    assertThatThrownBy(() -> runtime.resident(Shelf.class, conf -> new Shelf()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("shutting down");
  }
}
