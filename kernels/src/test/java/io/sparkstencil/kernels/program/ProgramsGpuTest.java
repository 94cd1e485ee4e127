/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.kernels.program.source.FusedSource;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs on a GPU have the bits of the CPU and of the reference. */
@RequiresGpu
final class ProgramsGpuTest {
  private static final int THREADS = 16;
  private static final int CASES_PER_THREAD = 20;
  private static final Map<String, String> LITTLE_MEMORY =
      Map.of(GpuOptions.DEVICE_BYTES.key(), "2000000");

  private static GpuPrograms engine;
  private static GpuPrograms fused;

  @BeforeAll
  static void open() {
    engine = ProgramChecks.open(Map.of(), FusedSource.ESTIMATED);
    fused = ProgramChecks.open(Map.of(), ProgramChecks.ALWAYS);
  }

  @AfterAll
  static void close() {
    engine.close();
    fused.close();
  }

  @Test
  void programsAtRandomHaveTheBitsOfTheReference() {
    ProgramChecks.random(engine, 300, THREADS, CASES_PER_THREAD);
  }

  private static List<String> programs() {
    return ProgramChecks.PROGRAMS;
  }

  private static void requireBitsOfTheCpu(GpuPrograms running, String text, int steps) {
    List<String> wrong = new ArrayList<>();
    int variant = 0;
    for (String boundary : ProgramChecks.BOUNDARIES) {
      for (Extent extent : ProgramChecks.extents(ProgramText.parse(text).dimensions(), 1)) {
        ElementType type = variant % 3 == 0 ? ElementType.F32 : ElementType.F64;
        Accuracy accuracy = variant % 2 == 0 ? Accuracy.EXACT : Accuracy.FMA;
        wrong.addAll(ProgramChecks.check(running, text, boundary, accuracy, type, extent, steps));
        variant++;
      }
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void singleStepsHaveTheBitsOfTheCpu(String text) {
    try (GpuPrograms single = ProgramChecks.open(Map.of(), ProgramChecks.NEVER)) {
      requireBitsOfTheCpu(single, text, 3);
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void stepsAtOnceHaveTheBitsOfTheCpu(String text) {
    requireBitsOfTheCpu(fused, text, 29);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void fieldsThatDoNotFitHaveTheBitsOfTheCpu(String text) {
    try (GpuPrograms small = ProgramChecks.open(LITTLE_MEMORY, FusedSource.ESTIMATED)) {
      StencilProgram program = ProgramText.parse(text);
      List<Extent> large =
          ProgramChecks.extents(program.dimensions(), 2).stream()
              .filter(extent -> small.needsParts(program, ElementType.F64, extent))
              .toList();
      assertThat(large).isNotEmpty();
      for (Extent extent : large) {
        List<String> wrong = new ArrayList<>();
        for (String boundary : List.of("reflect", "wrap", "constant:2")) {
          wrong.addAll(
              ProgramChecks.check(small, text, boundary, Accuracy.FMA, ElementType.F64, extent, 7));
        }
        assertThat(wrong).isEmpty();
      }
    }
  }

  @Test
  void fieldsStayOnTheDeviceFromStepToStep() {
    StencilProgram program = ProgramText.parse("u' = u + dt*(u[-1,0] - 2*u + u[0,1])");
    Extent extent = Extent.of(300, 500);
    ProgramArrays expected = ProgramChecks.arrays(program, ElementType.F64, extent, 3);
    ProgramArrays actual = ProgramChecks.arrays(program, ElementType.F64, extent, 3);
    ParameterValues values = (parameter, step) -> 0.01 * step;
    CpuProgram.compile(program, Map.of()).run(expected, values, 40, 2);
    try (DeviceProgram fields = fused.open(program, ElementType.F64, extent)) {
      fields.load(actual, 2);
      int done = 0;
      for (int steps : new int[] {1, 0, 13, 25, 1}) {
        fields.step(values, done, steps);
        done += steps;
      }
      fields.store(actual, 2);
    }
    assertThat((double[]) actual.arrays().get(0)).isEqualTo((double[]) expected.arrays().get(0));
  }

  @Test
  void whatCannotBeDoneIsRefused() {
    StencilProgram program = ProgramText.parse("u' = u[-1,0] + v[0,1]");
    Extent extent = Extent.of(4, 100_000);
    ProgramArrays arrays = ProgramChecks.arrays(program, ElementType.F64, extent, 1);
    try (GpuPrograms small = ProgramChecks.open(LITTLE_MEMORY, ProgramChecks.NEVER)) {
      assertThatThrownBy(() -> small.compile(program).run(arrays, ParameterValues.NONE, 1, 1))
          .isInstanceOf(DeviceOutOfMemoryException.class)
          .hasMessageContaining(GpuOptions.DEVICE_BYTES.key());
    }
    try (DeviceProgram fields = engine.open(program, ElementType.F64, Extent.of(4, 5))) {
      assertThatThrownBy(() -> fields.load(arrays, 1))
          .isInstanceOf(InvalidStencilException.class)
          .hasMessageContaining("[4, 100000]");
    }
  }
}
