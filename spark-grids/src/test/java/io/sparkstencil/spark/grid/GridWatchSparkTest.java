/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.PointSource;
import io.sparkstencil.grid.watch.Divergence;
import io.sparkstencil.grid.watch.Diverging;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.WithSpark;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells that are not finite: those that always were, and those that a run has made. */
@WithSpark
@Timeout(120)
final class GridWatchSparkTest {
  /** Ice melts around land, which is NaN and stays so. */
  private static final StencilProgram SEA =
      ProgramText.parse("u' = where(u == u, 0.5*u, u) + 0*where(u[-1,0] == u, 1, 0)");

  private static SparkSession spark;
  @TempDir Path folder;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  private static double coast(long... at) {
    return at[0] < 3 || at[1] == 7 ? Double.NaN : 1 + at[0] + at[1];
  }

  private static GridBuilder sea(ElementType type) {
    return StencilGrids.builder(spark, SEA)
        .extent(10, 8)
        .type(type)
        .blocks(4)
        .stepsPerExchange(1)
        .field("u", GridWatchSparkTest::coast);
  }

  @ParameterizedTest
  @EnumSource(names = {"F32", "F64"})
  void stepsEndWhereAllButLandHasSettled(ElementType type) {
    try (StencilGrid grid = sea(type).create()) {
      StencilGrid.Until end = grid.stepUntil("u", 0.1, 1000, 10);

      assertThat(end.converged()).isTrue();
      assertThat(end.grid().steps()).isEqualTo(20);
      assertThat(end.change()).isEqualTo(16.0 / 1024 - 16.0 / (1024 * 1024));
      assertThat(end.grid().divergence()).isEmpty();
      GridSummary summary = end.grid().summarize("u");
      assertThat(summary.missing()).isEqualTo(3 * 8 + 7);
      assertThat(summary.max()).isEqualTo(16.0 / (1 << 20));
      assertThat(summary.min()).isEqualTo(4.0 / (1 << 20));
      assertThat(summary.sum()).isBetween(49 * summary.min(), 49 * summary.max());
      assertThat(grid.max("u")).isEqualTo(16);
    }
  }

  /** Heat whose steps are too long, so that cells grow by up to 1.8 times in each. */
  private static GridBuilder tooLong(int blocks, int steps) {
    return StencilGrids.builder(spark, ProgramText.parse("u' = u + 0.7*(u[-1] - 2*u + u[1])"))
        .extent(100)
        .type(ElementType.F32)
        .blocks(blocks)
        .stepsPerExchange(steps)
        .field("u", at -> at[0] == 30 ? 1 : 0);
  }

  private static StencilException stopped(GridBuilder builder, long steps) {
    try (StencilGrid grid = builder.create()) {
      StencilException failure =
          catchThrowableOfType(StencilException.class, () -> grid.step(steps));
      assertThat(failure.code()).isEqualTo(ErrorCode.DIVERGED);
      assertThat(grid.max("u")).as("the state before").isEqualTo(1);
      assertThat(grid.metrics().cellSteps()).isLessThan(100 * 5000);
      assertThat(grid.divergence()).isPresent();
      return failure;
    }
  }

  @Test
  void aRunThatGrowsWithoutBoundStopsWithFieldStepAndPlace() {
    StencilException one = stopped(tooLong(1, 1), 100_000);
    assertThat(one)
        .hasMessageMatching(
            "field u has (grown without bound|ceased to be finite) between step [1-8]00 and step"
                + " [2-9]00: the cell at \\[[0-9]+] is .*; use a shorter time step .*");

    assertThat(stopped(tooLong(5, 1), 100_000)).hasMessage(one.getMessage());
    assertThat(stopped(tooLong(5, 4), 100_000)).hasMessage(one.getMessage());
  }

  @Test
  void theLastStepIsLookedAtHoweverFewThereAre() {
    GridBuilder builder =
        StencilGrids.builder(spark, ProgramText.parse("v' = 2*v; u' = 1/(u - x)", 1))
            .extent(6)
            .field("u", at -> at[0] == 4 ? 4 : 0.5)
            .blocks(3);
    try (StencilGrid grid = builder.create()) {
      assertThatThrownBy(() -> grid.step(1))
          .hasMessageContaining("field u has ceased to be finite between step 0 and step 1")
          .hasMessageContaining("the cell at [4] is Infinity");
    }
  }

  @Test
  void aWarningIsSaidAndStepsGoOn() {
    try (StencilGrid grid = tooLong(3, 2).diverging(Diverging.WARN).create().step(600)) {
      assertThat(grid.steps()).isEqualTo(600);
      Divergence found = grid.divergence().orElseThrow();
      assertThat(found.field()).isEqualTo("u");
      List<Long> looks = List.of(0L, 100L, 200L, 400L, 600L);
      assertThat(looks.subList(1, 5)).contains(found.steps());
      assertThat(found.before()).isEqualTo(looks.get(looks.indexOf(found.steps()) - 1));
      assertThat(grid.summarize("u").missing()).isPositive();
    }
    try (StencilGrid grid = tooLong(3, 2).diverging(Diverging.IGNORE).create().step(600)) {
      assertThat(grid.divergence()).isEmpty();
    }
  }

  @Test
  void theBoundIsThatOfTheCaller() {
    StencilProgram doubles = ProgramText.parse("u' = 2*u[0]");
    try (StencilGrid grid =
        StencilGrids.builder(spark, doubles)
            .extent(4)
            .field("u", at -> at[0])
            .largest(40)
            .create()) {
      assertThat(grid.step(3).max("u")).isEqualTo(24);
      assertThatThrownBy(() -> grid.step(4))
          .hasMessageContaining("field u has grown without bound between step 0 and step 4")
          .hasMessageContaining("the cell at [3] is 48.0")
          .hasMessageContaining("40.0");
    }
    GridBuilder wrong = StencilGrids.builder(spark, doubles).extent(4).largest(Double.NaN);
    assertThatThrownBy(wrong::create).isInstanceOf(InvalidStencilException.class);
  }

  /** What is added after step 150 is found after step 200; checkpoints are looked at before. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void noCheckpointHasCellsThatDiverge(int blocks) {
    double[] series = new double[151];
    series[150] = 1e200;
    String kept = folder.resolve("kept").toString();
    StencilProgram still = ProgramText.parse("u' = u[0]");
    try (StencilGrid grid =
        StencilGrids.builder(spark, still)
            .extent(16)
            .blocks(blocks)
            .stepsPerExchange(1)
            .field("u", at -> at[0])
            .sources(List.of(new PointSource("u", new long[] {5}, series)))
            .checkpoints(kept, 7)
            .create()) {
      StencilGrid before = grid.step(100); // with which a checkpoint is whole
      assertThatThrownBy(() -> before.step(900)).hasMessageContaining("the cell at [5] is 1.0E200");
    }
    try (StencilGrid resumed = StencilGrids.builder(spark, still).resume(kept).create()) {
      assertThat(resumed.steps()).isBetween(1L, 150L);
      assertThat(resumed.max("u")).isEqualTo(15);
    }
    assertThat(Stream.of(folder.toFile().list())).containsExactly("kept");
  }
}
