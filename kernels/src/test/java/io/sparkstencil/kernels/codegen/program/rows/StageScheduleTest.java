/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.kernels.codegen.program.BoxText;
import io.sparkstencil.kernels.codegen.program.HeldEnds;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StageScheduleTest {
  private static final int CELLS = 4;

  private static StageSchedule schedule(String text) {
    ProgramTraits traits = ProgramTraits.of(ProgramText.parse(text).withAccuracy(Accuracy.FMA));
    return new StageSchedule(
        traits.program(), traits.stages().get(0), List.of(), CELLS, HeldEnds.NONE);
  }

  private static List<Integer> operationsByTime(StageSchedule schedule) {
    return IntStream.rangeClosed(-schedule.low(), schedule.high())
        .mapToObj(time -> schedule.operations(time).size())
        .toList();
  }

  @Test
  void sumsInTheOrderOfRowsWaitInsteadOfCells() {
    StageSchedule five =
        schedule("u' = 0.1*u[-1,0] + 0.2*u[0,-1] + 0.3*u[0,0] + 0.2*u[0,1] + 0.1*u[1,0]");
    assertThat(five.low()).isEqualTo(1);
    assertThat(five.high()).isEqualTo(1);
    assertThat(five.longestWait()).isEqualTo(1);
    assertThat(five.waitingCells()).isEqualTo(2 * CELLS);
    assertThat(operationsByTime(five).stream().mapToInt(Integer::intValue).sum()).isEqualTo(5);
    assertThat(operationsByTime(five).get(2)).isEqualTo(1);
  }

  @Test
  void sumsOfManyCellsWaitInsteadOfCells() {
    int radius = 5;
    StageSchedule box = schedule(BoxText.ofRadius(radius));
    assertThat(box.longestWait()).isEqualTo(1);
    assertThat(box.waitingCells()).isEqualTo(2 * radius * CELLS);
  }

  @Test
  void cellsWaitWhereTheFirstSumNeedsTheLastRow() {
    StageSchedule laplacian = schedule("u' = (u[-1,0] + u[1,0]) + u[0,-1] + u[0,1] - 4*u");
    assertThat(laplacian.longestWait()).isEqualTo(2);
    assertThat(operationsByTime(laplacian)).startsWith(0, 0);
  }

  @Test
  void cellsOfOtherLanesAreFetchedAsTheyArrive() {
    StageSchedule laplacian = schedule("u' = (u[-1,0] + u[1,0]) + u[0,-1] + u[0,1] - 4*u");
    assertThat(laplacian.fringes()).hasSize(2);
    assertThat(laplacian.fringes().values()).allMatch(ages -> ages.first() == 0);
  }

  @Test
  void conditionsDoNotWait() {
    StageSchedule choice = schedule("u' = where(u[-1,0] > 0, u[0,1], u[1,0])");
    assertThat(operationsByTime(choice)).startsWith(0, 0);
  }

  @Test
  void aCopyOfACellWaitsForTheLastRow() {
    StageSchedule copy = schedule("u' = u[-1,0]; v' = u[1,0]");
    assertThat(copy.waitingCells()).isEqualTo(2 * CELLS);
    assertThat(copy.longestWait()).isEqualTo(2);
  }
}
