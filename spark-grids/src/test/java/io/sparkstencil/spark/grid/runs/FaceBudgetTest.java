/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.grid.watch.Diverging;
import io.sparkstencil.grid.watch.WatchPlan;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.grid.tasks.GridModel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How many states fit the log, where four blocks of a line give 3 cells to each neighbour. */
final class FaceBudgetTest {
  private static final StencilProgram HEAT = ProgramText.parse("u' = u + (u[-1] - 2*u + u[1])/4");
  private static final int FACE_BYTES = 3 * Double.BYTES;

  private final FaceBudget budget = budget(100 * FACE_BYTES);

  private static FaceBudget budget(long bytes) {
    StepReach reach = StepReach.of(HEAT);
    GridBlocks blocks = GridBlocks.cut(List.of(40L), 4, reach);
    FacePlan plan = FacePlan.of(blocks, reach, 3, HEAT.fields().size(), ElementType.F64);
    StencilConf conf = new StencilConf(Map.of());
    return new FaceBudget(
        new GridModel(
            "line",
            HEAT,
            plan,
            (name, step) -> 0,
            List.of(),
            List.of(),
            conf,
            new WatchPlan(Diverging.IGNORE, 1e150)),
        bytes);
  }

  @Test
  void theExecutorThatGivesMostDecides() {
    assertThat(budget.states(List.of("a", "a", "b", "b"), false)).isEqualTo(100);
    assertThat(budget.states(List.of("a", "b", "b", "a"), false)).isEqualTo(50);
    assertThat(budget.states(List.of("a", "b", "a", "b"), false)).isEqualTo(33);
  }

  @Test
  void facesInsideOfAnExecutorCountIfTheyAreKept() {
    List<String> halves = List.of("a", "a", "b", "b");
    assertThat(budget.states(halves, false)).isEqualTo(100);
    assertThat(budget.states(halves, true)).isEqualTo(33);
  }

  @Test
  void facesForBlocksThatComeBackAreThoseOfOthers() {
    List<String> apart = List.of("a", "b", "b", "a");
    assertThat(budget.statesFor(Set.of(1), apart)).isEqualTo(100);
    assertThat(budget.statesFor(Set.of(1, 2), apart)).as("two by a").isEqualTo(50);
    assertThat(budget.statesFor(Set.of(0, 3), apart)).as("two by b").isEqualTo(50);
    assertThat(budget.statesFor(Set.of(0, 1, 2, 3), apart)).isEqualTo(Integer.MAX_VALUE);
    assertThat(budget(FACE_BYTES / 2).statesFor(Set.of(1), apart)).as("at least").isEqualTo(1);
  }

  @Test
  void someBytesAreComparedWithThePartOfAnExecutor() {
    assertThat(budget.isExceededBy(Map.of("a", 100L * FACE_BYTES, "b", 5L))).isFalse();
    assertThat(budget.isExceededBy(Map.of("a", 5L, "b", 100L * FACE_BYTES + 1))).isTrue();
  }

  @Test
  void whatExecutorsHavePutDecides() {
    assertThat(budget.isExceededBy(1000)).as("nothing was put").isFalse();
    budget.add(10, "a", 60 * FACE_BYTES);
    budget.add(10, "b", 20 * FACE_BYTES);
    budget.took(10, true);
    assertThat(budget.isExceededBy(6)).as("60 of 100 faces, and 6 in each state").isFalse();
    assertThat(budget.isExceededBy(7)).isTrue();
    budget.add(12, "a", 30 * FACE_BYTES);
    budget.took(2, true);
    assertThat(budget.isExceededBy(1)).isTrue();
    budget.removedBefore(12);
    assertThat(budget.isExceededBy(4)).isFalse();
    assertThat(budget.isExceededBy(5)).isTrue();
  }

  @Test
  void aJobIsAsLongAsWhatTheOneBeforeHasPutAllows() {
    List<String> halves = List.of("a", "a", "b", "b");
    FaceBudget none = budget(1);
    assertThat(none.states(halves, false)).as("before the first job").isEqualTo(1);
    none.add(1, "a", FACE_BYTES);
    none.took(1, true);
    assertThat(none.states(halves, false)).isEqualTo(1);
    none.add(2, "a", 0);
    none.add(2, "b", 0);
    none.took(1, true);
    assertThat(none.states(halves, false)).as("no face went that way").isEqualTo(1024);
    assertThat(none.states(List.of("a", "b", "b", "b"), false)).as("blocks moved").isEqualTo(1);

    budget.add(4, "a", 8 * FACE_BYTES);
    budget.add(4, "b", 2 * FACE_BYTES);
    budget.took(4, true);
    assertThat(budget.states(halves, false)).as("not asked for these before").isEqualTo(100);
    budget.took(4, true);
    assertThat(budget.states(halves, false)).as("2 faces for each state").isEqualTo(50);
  }

  /** Most of its states were given up: what it has put says nothing about the next job. */
  @Test
  void aJobInWhichTheLogBeginsAnewIsNotTheMeasureOfTheNext() {
    List<String> halves = List.of("a", "a", "b", "b");
    assertThat(budget.states(halves, false)).isEqualTo(100);
    budget.add(64, "a", 0);
    budget.took(64, true);
    assertThat(budget.states(halves, false)).as("nothing is logged").isEqualTo(1024);
    budget.add(128, "a", FACE_BYTES); // of its last state
    budget.took(64, false);
    assertThat(budget.states(halves, false)).isEqualTo(100);
  }

  @Test
  void theLatestStateIsKeptAndNotMoreThanUseful() {
    assertThat(budget(0).states(List.of("a", "a", "b", "b"), false)).isEqualTo(1);
    assertThat(budget(1L << 40).states(List.of("a", "a", "b", "b"), false)).isEqualTo(1024);
    assertThat(budget.states(List.of("a", "a", "a", "a"), false)).isEqualTo(1024);
  }
}
