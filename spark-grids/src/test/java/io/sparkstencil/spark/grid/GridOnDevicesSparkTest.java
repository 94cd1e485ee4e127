/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.PointSource;
import io.sparkstencil.grid.Receiver;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.testkit.programs.HoldingEngine;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Grids whose blocks stay with an engine have the bits of the CPU, even if the engine fails. */
@Timeout(120)
final class GridOnDevicesSparkTest {
  private static final int BLOCKS = 6;

  private final WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
  private SparkSession spark;

  @BeforeEach
  void start() {
    HoldingEngine.enable(BLOCKS);
    spark = Sessions.local();
  }

  @AfterEach
  void everyBlockIsGivenBack() throws InterruptedException {
    while (HoldingEngine.open() > 0) {
      Thread.sleep(20); // executors drop blocks in the background
    }
    spark.stop();
    HoldingEngine.disable();
  }

  private StencilGrid grid() {
    return whole.builder(spark).blocks(BLOCKS).stepsPerExchange(3).create();
  }

  @Test
  void blocksStayWithTheEngineBetweenSupersteps() {
    try (StencilGrid grid = grid()) {
      StencilGrid later = grid.step(14);

      assertThat(HoldingEngine.open()).isEqualTo(BLOCKS);
      assertThat(later.read("u")).isEqualTo(whole.after(14));
      assertThat(later.summarize("u")).isEqualTo(whole.summaryAfter(14));
      assertThat(later.metrics().engines()).containsExactly("holding");
      assertThat(later.metrics().deviceBytes()).isGreaterThan(2L * 40 * 30 * Float.BYTES);
      assertThat(later.explain()).contains(later.metrics().deviceBytes() + " bytes of blocks stay");
      assertThat(later.stepUntil("u", 0.2, 1000, 5).grid().steps()).isPositive();
    }
  }

  @Test
  void cellsThatDivergeAreFoundThere() {
    try (StencilGrid grid =
        StencilGrids.builder(spark, ProgramText.parse("u' = 2*u[0]"))
            .extent(12)
            .blocks(BLOCKS)
            .field("u", at -> at[0] == 5 ? Double.NaN : at[0] % 10)
            .largest(100)
            .create()) {
      assertThat(grid.step(3).metrics().engines()).containsExactly("holding");
      assertThatThrownBy(() -> grid.step(4))
          .isInstanceOf(StencilException.class)
          .hasMessageContaining("field u has grown without bound between step 0 and step 4")
          .hasMessageContaining("the cell at [7] is 112.0");
    }
  }

  @Test
  void blocksForWhichThereIsNoRoomStayOnTheHeap() {
    HoldingEngine.enable(2);
    try (StencilGrid grid = grid()) {
      StencilGrid later = grid.step(10);

      assertThat(HoldingEngine.open()).isEqualTo(2);
      assertThat(later.read("u")).isEqualTo(whole.after(10));
      assertThat(later.metrics().engines()).containsExactlyInAnyOrder("cpu", "holding");
    }
  }

  @Test
  void sourcesAndReceiversReachCellsThatStay() {
    long[] cell = {20, 14};
    double[] series = {1, -2, 3.5};
    List<Double> samples = new ArrayList<>();
    Object expected = whole.stepwise(9, cell, series, 21 * 30 + 14, samples);
    try (StencilGrid grid =
        whole
            .builder(spark)
            .blocks(BLOCKS)
            .sources(List.of(new PointSource("u", cell, series)))
            .receivers(List.of(new Receiver("u", new long[] {21, 14}, "beside")))
            .create()) {
      StencilGrid later = grid.step(9);

      assertThat(later.read("u")).isEqualTo(expected);
      assertThat(later.samples().get("beside"))
          .isEqualTo(samples.stream().mapToDouble(Double::doubleValue).toArray());
      assertThat(later.metrics().engines()).containsExactly("holding");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, true",
    "1, true",
    "17, true",
    "60, true",
    "100, false",
    "151, true",
    "200, false"
  })
  void whereTheEngineFailsBlocksBeginAgainOnTheHeap(int successes, boolean lost) {
    try (StencilGrid grid = grid()) {
      HoldingEngine.failAfter(
          successes,
          () -> lost ? new DeviceLostException("gone") : new DeviceOutOfMemoryException("full"));
      StencilGrid later = grid.step(14);

      assertThat(later.read("u")).isEqualTo(whole.after(14));
      assertThat(later.metrics().engines()).contains("cpu");
      assertThat(later.metrics().deviceBytes()).isLessThan(2L * 40 * 30 * Float.BYTES);
      assertThat(later.step(3).read("u")).isEqualTo(whole.after(17));
    }
  }

  @Test
  void otherFailuresOfTheEngineFailTheJob() {
    try (StencilGrid grid = grid().step(3)) {
      HoldingEngine.failAfter(0, () -> new StencilException(ErrorCode.INTERNAL, "a bug"));
      assertThatThrownBy(() -> grid.step(3))
          .isInstanceOf(SparkException.class)
          .hasStackTraceContaining("a bug");
      HoldingEngine.failAfter(0, null);
      assertThat(grid.step(3).read("u")).isEqualTo(whole.after(6));
    }
  }

  @Test
  void theEndOfTheApplicationGivesBlocksBack() {
    StencilGrid grid = grid().step(4);
    assertThat(HoldingEngine.open()).isEqualTo(BLOCKS);
    spark.stop();
    assertThat(HoldingEngine.open()).isZero();
    grid.close();
  }
}
