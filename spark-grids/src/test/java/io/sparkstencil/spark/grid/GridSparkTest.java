/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.WithSpark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Grids on executors have the bits of the CPU engine on the whole grid. */
@WithSpark
final class GridSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, reflect",
    "2, 1, reflect",
    "3, 3, wrap",
    "6, 8, constant:1",
    "12, 0, mirror",
    "37, 3, nearest",
    "37, 8, wrap"
  })
  void blocksHaveTheBitsOfTheWholeGrid(int blocks, int steps, String boundary) {
    WholeGrid whole = WholeGrid.heat(Boundary.parse(boundary));
    GridBuilder builder = whole.builder(spark).blocks(blocks);
    try (StencilGrid grid = (steps == 0 ? builder : builder.stepsPerExchange(steps)).create()) {
      StencilGrid later = grid.step(5).step(0).step(16);

      assertThat(later.steps()).isEqualTo(21);
      assertThat(later.read("u")).isEqualTo(whole.after(21));
      assertThat(grid.read("u")).as("the state before").isEqualTo(whole.after(0));
    }
  }

  /**
   * Blocks of one executor read each other's cells, so one job takes them through many supersteps.
   */
  @ParameterizedTest
  @CsvSource({"2, 1", "9, 2", "36, 1"})
  void oneExecutorTakesManySuperstepsInOneJob(int blocks, int steps) {
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    try (StencilGrid grid =
        whole.builder(spark).blocks(blocks).stepsPerExchange(steps).create().step(0)) {
      StencilGrid later = grid.step(300);

      assertThat(later.read("u")).isEqualTo(whole.after(300));
      GridMetrics metrics = later.metrics();
      assertThat(metrics.supersteps()).isEqualTo((long) blocks * 300 / steps);
      assertThat(metrics.jobs()).isLessThan(100);
      assertThat(metrics.replayedBlocks()).isEmpty();
      assertThat(SparkEnv.get().blockManager().getMatchingBlockIds(id -> id.isRDD()).size())
          .as("marks, and the first faces of blocks whose neighbours were not there yet")
          .isLessThanOrEqualTo(blocks * 9);
    }
  }

  @Test
  void earlierStatesAreComputedAgain() {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    try (StencilGrid grid = whole.builder(spark).blocks(4).stepsPerExchange(2).create()) {
      StencilGrid five = grid.step(5);
      StencilGrid nine = five.step(4);
      StencilGrid eleven = five.step(6);

      assertThat(eleven.read("u")).isEqualTo(whole.after(11));
      assertThat(nine.read("u")).isEqualTo(whole.after(9));
      assertThat(five.read("u")).isEqualTo(whole.after(5));
    }
  }

  @ParameterizedTest
  @CsvSource({"1", "7"})
  void summariesDoNotDependOnBlocks(int blocks) {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    try (StencilGrid grid = whole.builder(spark).blocks(blocks).create().step(4)) {
      assertThat(grid.summarize("u")).isEqualTo(whole.summaryAfter(4));
      assertThat(grid.sum("u")).isEqualTo(whole.summaryAfter(4).sum());
    }
  }

  @Test
  void readsBoxesAcrossBlocks() {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    Box box = Box.between(List.of(5L, 3L), List.of(30L, 24L));
    try (StencilGrid grid = whole.builder(spark).blocks(6).create().step(3)) {
      assertThat(grid.read("u", box)).isEqualTo(whole.after(3, box));
    }
  }

  @Test
  void stopsWhereTheCellsHardlyChange() {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    try (StencilGrid grid = whole.builder(spark).blocks(4).stepsPerExchange(2).create()) {
      StencilGrid.Until until = grid.stepUntil("u", 0.2, 1000, 5);

      long steps = whole.stepsUntil(0.2, 5);
      assertThat(until.converged()).isTrue();
      assertThat(until.grid().steps()).isEqualTo(steps);
      assertThat(until.change()).isEqualTo(whole.change(steps - 5, steps)).isLessThan(0.2);
      assertThat(until.grid().read("u")).isEqualTo(whole.after(steps));
      assertThat(grid.stepUntil("u", 0, 7, 5).converged()).isFalse();
    }
  }

  @Test
  void explainsTheStepsBetweenExchanges() {
    try (StencilGrid grid =
        WholeGrid.heat(Boundary.WRAP)
            .builder(spark)
            .blocksPerAxis(2, 2)
            .stepsPerExchange(6)
            .create()) {
      String text = grid.explain();

      assertThat(text)
          .contains("4 blocks of [20, 15] cells, [2, 2] along the axes", "6 steps per exchange");
      List<String> rows = text.lines().filter(line -> line.matches(" +[0-9].*")).toList();
      assertThat(rows).hasSize(4);
      assertThat(rows.get(2)).matches(" +6 .* \\*");
      for (String row : rows) {
        String[] cells = row.trim().split(" +");
        assertThat(Double.parseDouble(cells[1]) + Double.parseDouble(cells[2]))
            .isCloseTo(Double.parseDouble(cells[3]), withinPercentage(1));
      }
    }
  }

  @Test
  void tellsHowFarItIs() {
    List<GridProgress> heard = new ArrayList<>();
    try (StencilGrid grid =
        WholeGrid.heat(Boundary.WRAP)
            .builder(spark)
            .stepsPerExchange(4)
            .listener(heard::add)
            .create()) {
      grid.step(10);
    }
    assertThat(heard).extracting(GridProgress::done).containsExactly(4L, 8L, 10L);
    assertThat(heard).allSatisfy(each -> assertThat(each.cellStepsPerSecond()).isPositive());
  }

  @Test
  void looksAtTheGridBetweenSteps() {
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    List<Long> heard = new ArrayList<>();
    Map<Long, Object> seen = new TreeMap<>();
    try (StencilGrid grid =
        whole
            .builder(spark)
            .stepsPerExchange(2)
            .listener(progress -> heard.add(progress.done()))
            .create()) {
      StencilGrid last = grid.step(7, 3, state -> seen.put(state.steps(), state.read("u")));
      assertThat(last.steps()).isEqualTo(7);
      assertThatThrownBy(() -> grid.step(7, 0, state -> {}))
          .hasMessage("0 steps between snapshots; use at least 1");
    }
    assertThat(seen.keySet()).containsExactly(3L, 6L, 7L);
    assertThat(seen).allSatisfy((steps, u) -> assertThat(u).isEqualTo(whole.after(steps)));
    assertThat(heard).containsExactly(2L, 3L, 5L, 6L, 7L);
  }

  @Test
  void refusesWhatIsWrongBeforeAnyWork() {
    StencilProgram program = ProgramText.parse("u' = a*u[-1] + b*v[0]");
    GridBuilder builder = StencilGrids.builder(spark, program);

    assertThatThrownBy(builder::create)
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageEndingWith("give the cells along each axis, such as [4096]");
    builder.extent(10);
    assertThatThrownBy(builder::create)
        .as("an obstacle of zeros is none")
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("field v is read and never updated, and nothing gives its cells");
    builder.field("v", position -> 0);
    assertThatThrownBy(builder::create).hasMessageContaining("parameter a has no value");
    builder.parameter("a", 1).parameter("b", 2);
    assertThatThrownBy(() -> builder.field("w", position -> 0)).hasMessageContaining("no field w");
    builder.field("u", position -> 0);
    assertThatThrownBy(() -> builder.field("u", position -> 1)).hasMessageContaining("twice");
    assertThatThrownBy(() -> builder.type(ElementType.I32).create())
        .hasMessageContaining("F32 and F64");
    builder.type(ElementType.F32);
    assertThatThrownBy(() -> builder.stepsPerExchange(0).create())
        .hasMessageContaining("at least 1");
    try (StencilGrid grid = builder.stepsPerExchange(1).create()) {
      assertThatThrownBy(() -> grid.step(-1)).hasMessageContaining("-1 steps");
      assertThatThrownBy(() -> grid.max("w")).hasMessageContaining("no field w");
    }
  }
}
