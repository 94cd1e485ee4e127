/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.status.api.v1.RDDStorageInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.jdk.javaapi.CollectionConverters;

/** However a grid ends, it leaves nothing behind. */
@WithSpark
@Timeout(120)
final class GridLifeSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  /** Waits, as executors drop blocks in the background. */
  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    while (heldBlocks() + storedBlocks() > 0) {
      Thread.sleep(20);
    }
  }

  private static int heldBlocks() {
    return BlockRegistry.of(ExecutorRuntime.current()).count();
  }

  private static int storedBlocks() {
    return SparkEnv.get().blockManager().getMatchingBlockIds(id -> id.isRDD()).size();
  }

  private static WholeGrid whole() {
    return WholeGrid.heat(Boundary.REFLECT);
  }

  @Test
  void takesTheOptionsOfItsSession() {
    SparkSession session = spark.newSession();
    session.conf().set(StencilOptions.ENGINE.key(), "reference");
    WholeGrid whole = WholeGrid.heat(1, ElementType.F64, Boundary.WRAP);

    try (StencilGrid grid = whole.builder(session).create()) {
      assertThat(grid.step(2).metrics().engines()).containsExactly("reference");
    }
    try (StencilGrid grid = whole.builder(spark).create()) {
      assertThat(grid.step(2).metrics().engines()).containsExactly("cpu");
    }
  }

  @Test
  void aClosedGridIsRefusedAndClosingTwiceDoesNothing() {
    StencilGrid grid = whole().builder(spark).blocks(4).create();
    StencilGrid later = grid.step(3);
    assertThat(heldBlocks()).isEqualTo(4);
    assertThat(storedBlocks()).isPositive();

    later.close();
    grid.close();
    later.close();

    assertThatThrownBy(() -> grid.step(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> later.max("u")).hasMessageContaining("closed");
  }

  @Test
  void sparksStoragePageShowsWhatBlocksTake() throws InterruptedException {
    try (StencilGrid grid = whole().builder(spark).blocks(4).create().step(3)) {
      String cells = "grid of %s cells".formatted(grid.extent());
      long bytes = grid.extent().stream().reduce((long) grid.type().bytes(), (a, b) -> a * b);
      // the page hears of it in the background
      while (storage().noneMatch(rdd -> rdd.name().equals(cells) && rdd.memoryUsed() >= bytes)) {
        Thread.sleep(20);
      }
      assertThat(storage().map(RDDStorageInfo::numCachedPartitions)).contains(4);
    }
    while (storage().anyMatch(rdd -> rdd.name().startsWith("grid"))) {
      Thread.sleep(20);
    }
  }

  private static Stream<RDDStorageInfo> storage() {
    return CollectionConverters.asJava(spark.sparkContext().statusStore().rddList(true)).stream();
  }

  @Test
  void aForgottenGridEndsByItself() throws InterruptedException {
    whole().builder(spark).blocks(3).create().step(2);
    assertThat(heldBlocks()).isEqualTo(3);
    while (heldBlocks() > 0) {
      System.gc();
      Thread.sleep(20);
    }
  }

  @Test
  void aFailureInAFunctionOfTheUserIsReportedAndTheGridGoesOn() {
    Failing.at(7);
    try (StencilGrid grid =
        StencilGrids.builder(spark, whole().program())
            .extent(40, 30)
            .field("u", position -> Failing.value(-1, position[0]))
            .field("k", position -> 0)
            .parameter("a", 0.1)
            .blocks(2)
            .create()) {
      assertThatThrownBy(() -> grid.step(1))
          .isInstanceOf(SparkException.class)
          .hasStackTraceContaining(Failing.MESSAGE);
      Failing.nowhere();
      assertThat(grid.step(1).max("u")).isBetween(-1.0, -0.9);
    } finally {
      Failing.nowhere();
    }
  }

  @Test
  void aFailureBetweenSuperstepsIsReportedAndTheGridGoesOn() {
    Failing.at(7);
    GridParameters failing = (parameter, step) -> Failing.value(0.2, step);
    try (StencilGrid grid =
        whole()
            .bareBuilder(spark)
            .field("u", at -> WholeGrid.first("u", at))
            .parameters(failing)
            .blocks(3)
            .stepsPerExchange(2)
            .create()) {
      assertThatThrownBy(() -> grid.step(12))
          .isInstanceOf(SparkException.class)
          .hasStackTraceContaining(Failing.MESSAGE);
      Failing.nowhere();
      assertThat(grid.step(12).read("u")).isEqualTo(whole().after(12));
    } finally {
      Failing.nowhere();
    }
  }

  @Test
  void aFailureOfTheListenerIsReportedAndTheGridGoesOn() {
    AtomicBoolean fails = new AtomicBoolean(true);
    GridListener listener =
        progress -> {
          if (fails.get() && progress.done() == 4) {
            throw new UnsupportedOperationException("heard enough");
          }
        };
    try (StencilGrid grid =
        whole().builder(spark).blocks(2).stepsPerExchange(2).listener(listener).create()) {
      assertThatThrownBy(() -> grid.step(6)).hasMessage("heard enough");
      fails.set(false);
      assertThat(grid.step(6).read("u")).isEqualTo(whole().after(6));
    }
  }

  @Test
  void stepsEndWhenTheGridIsClosedByAnotherThread() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    CountDownLatch begun = new CountDownLatch(1);
    StencilGrid grid =
        whole()
            .builder(spark)
            .blocks(2)
            .stepsPerExchange(1)
            .listener(progress -> begun.countDown())
            .create();
    try {
      Future<StencilGrid> stepping = threads.submit(() -> grid.step(1_000_000));
      begun.await();

      grid.close();

      assertThatThrownBy(stepping::get).hasStackTraceContaining("the grid is closed");
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void severalThreadsUseOneGrid() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try (StencilGrid grid = whole().builder(spark).blocks(3).stepsPerExchange(2).create().step(2)) {
      List<Future<Object>> results = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        int steps = i / 2;
        boolean reads = i % 2 == 0;
        results.add(
            threads.submit(
                () ->
                    reads
                        ? grid.step(steps).read("u")
                        : grid.step(steps).step(3).toDataset().count()));
      }
      for (int i = 0; i < results.size(); i++) {
        assertThat(results.get(i).get()).isEqualTo(i % 2 == 0 ? whole().after(2 + i / 2) : 1200L);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aCancelledJobIsReportedAndTheGridGoesOn() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    try (StencilGrid grid =
        whole()
            .builder(spark)
            .blocks(2)
            .stepsPerExchange(1)
            .listener(progress -> begun.countDown())
            .create()) {
      CancelledSteps.require(spark, grid, begun);
      assertThat(grid.step(4).read("u")).isEqualTo(whole().after(4));
    }
  }

  @Test
  void anInterruptedThreadLeavesNothing() {
    StencilGrid grid =
        whole()
            .builder(spark)
            .blocks(4)
            .stepsPerExchange(1)
            .listener(progress -> Thread.currentThread().interrupt())
            .create();
    assertThatThrownBy(() -> grid.step(1000)).hasMessageContaining("interrupted");
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    grid.close();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void severalGridsStepAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<Object>> results = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int blocks = 1 + i;
        results.add(
            threads.submit(
                () -> {
                  try (StencilGrid grid =
                      whole().builder(spark).blocks(blocks).stepsPerExchange(2).create()) {
                    return grid.step(9).read("u");
                  }
                }));
      }
      for (Future<Object> result : results) {
        assertThat(result.get()).isEqualTo(whole().after(9));
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
