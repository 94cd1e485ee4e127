/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The check of the suite accepts right results of all its programs and finds wrong ones. */
final class ProgramCheckTest {
  private static final int STEPS = 3;

  static List<MeasuredProgram> cases() {
    return MeasuredProgram.all().stream().map(ProgramCheckTest::small).toList();
  }

  private static MeasuredProgram small(MeasuredProgram what) {
    return what.on(
        switch (what.extent().dimensions()) {
          case 1 -> Extent.of(1_500);
          case 2 -> Extent.of(31, 47);
          default -> Extent.of(11, 14, 23);
        });
  }

  private static List<Object> run(MeasuredProgram what) {
    StencilProgram program = what.program();
    List<Object> arrays = new ArrayList<>();
    for (int field = 0; field < program.fields().size(); field++) {
      arrays.add(what.type().newArray(what.extent().cells()));
      ProgramCells.fill(arrays.get(field), field);
    }
    CpuProgram.compile(program, Map.of())
        .run(new ProgramArrays(what.type(), what.extent(), arrays), ParameterValues.NONE, STEPS, 1);
    return arrays.subList(0, program.updates().size());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void rightResultsAreAccepted(MeasuredProgram what) {
    assertThat(new ProgramCheck(what, STEPS).wrong(run(what))).isZero();
  }

  @Test
  void wrongResultsAreFoundAtBothEnds() {
    MeasuredProgram five = cases().get(0);
    for (int at : new int[] {0, five.extent().cells() - 1}) {
      List<Object> results = run(five);
      ((float[]) results.get(0))[at] += 1;
      assertThat(new ProgramCheck(five, STEPS).wrong(results)).isPositive();
    }
  }

  @Test
  void plainLoopsDoNotDependOnTheirThreads() {
    double[] weights = {0.1, 0.2, 0.3, 0.15, 0.25};
    PlainFivePoints plain = new PlainFivePoints(70, weights);
    double[] cells = new double[70 * 70];
    ProgramCells.fill(cells, 0);
    double[] one = plain.run(plain.withRim(cells), 5, 1);
    double[] three = plain.run(plain.withRim(cells), 5, 3);
    assertThat(three).isEqualTo(one);
    assertThat(plain.different(cells, one)).isPositive();
    assertThat(plain.different(cells, plain.withRim(cells))).isZero();
  }
}
