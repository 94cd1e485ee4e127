/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.benchmarks.programs.MeasuredProgram.Pattern;
import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cells are still there after the thousands of steps that are timed. */
final class MeasuredProgramTest {
  private static final int STEPS = 100;

  private static Extent small(Pattern pattern) {
    MeasuredProgram some =
        MeasuredProgram.all().stream().filter(what -> what.pattern() == pattern).findAny().get();
    return switch (some.extent().dimensions()) {
      case 1 -> Extent.of(64);
      case 2 -> Extent.of(12, 16);
      default -> Extent.of(6, 7, 8);
    };
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"GRAY_SCOTT", "WAVE"})
  void sumsOfOnesStayAlmostOnes(Pattern pattern) {
    MeasuredProgram what =
        new MeasuredProgram(pattern, Accuracy.EXACT, ElementType.F64, small(pattern));
    double[] cells = new double[what.extent().cells()];
    Arrays.fill(cells, 1);

    CpuProgram.compile(what.program(), Map.of())
        .run(
            new ProgramArrays(what.type(), what.extent(), List.of(cells)),
            ParameterValues.NONE,
            STEPS,
            1);

    // a factor of 0.9999 a step leaves a tenth of them after the most that are timed, 21,000
    assertThat(Arrays.stream(cells).boxed())
        .allSatisfy(cell -> assertThat(cell).isBetween(0.98, 1.0));
  }
}
