/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.engine.CompiledProgram;
import io.sparkstencil.kernels.ExhaustiveRun;
import io.sparkstencil.kernels.codegen.program.fused.FusedKernels;
import io.sparkstencil.kernels.emulator.Emulator;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.kernels.program.plan.FieldLayout;
import io.sparkstencil.kernels.program.source.FusedSource;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.testkit.SeriesGenerator.CellMix;
import io.sparkstencil.testkit.programs.ProgramCase;
import io.sparkstencil.testkit.programs.ProgramConformance;
import io.sparkstencil.testkit.programs.RandomPrograms;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Programs on an emulated device, by the whole way from arrays on the heap through plans, tables,
 * launches and copies: they have the bits of the CPU, and no kernel does what it must not do. More
 * of them run by the properties of {@link ExhaustiveRun}.
 */
final class EmulatedProgramsTest {
  private static final int SMALL = 60;
  private static final int LARGE = 6;
  private static final int CASES_OF_SEED = 20;

  private final FakeGpu gpu = new FakeGpu();
  private final Emulator emulator = gpu.emulate();
  private final GpuPrograms engine =
      ProgramChecks.open(gpu.driver(), Map.of(), ProgramChecks.ALWAYS);

  @AfterEach
  void close() {
    engine.close();
  }

  private void run(
      StencilProgram program, ProgramArrays arrays, ParameterValues parameters, int steps) {
    engine.compile(program).run(arrays, parameters, steps, 1);
  }

  private static void runOnCpu(
      StencilProgram program, ProgramArrays arrays, ParameterValues parameters, int steps) {
    CpuProgram.compile(program, Map.of()).run(arrays, parameters, steps, 1);
  }

  @Test
  void fieldsTakeNoMoreMemoryThanTheDeviceHasForPrograms() {
    long most = 64 << 20;
    StencilProgram program = ProgramText.parse("u' = u[-1] + 0.5*u[1]");
    Map<String, String> options = Map.of(GpuOptions.DEVICE_BYTES.key(), Long.toString(most));
    try (GpuPrograms small = ProgramChecks.open(gpu.driver(), options, ProgramChecks.ALWAYS)) {
      CompiledProgram compiled = small.compile(program);

      assertThat(compiled.deviceBytes(ElementType.F32, Extent.of(1000)))
          .as("before and after each step")
          .isBetween(2L * 4 * 1000, 2L * 4 * 1200);
      assertThat(compiled.deviceBytes(ElementType.F64, Extent.of(100_000_000))).isEqualTo(most);
    }
  }

  @Test
  void programsAtRandomHaveTheBitsOfTheReference() {
    int count = ExhaustiveRun.programs(SMALL);
    for (int seed = 0; seed * CASES_OF_SEED < count; seed++) {
      ProgramConformance.requireReferenceResults(
          this::run, ExhaustiveRun.firstSeed() + seed, CASES_OF_SEED);
    }
    ExhaustiveRun.summarize(
        "programs at random on an emulated device",
        Map.of("programs", count, "warp instructions", emulator.instructions()));
  }

  @Test
  void functionsHaveTheBitsOfTheCpu() {
    StencilProgram program =
        ProgramText.parse(
            "sin(u) + exp(0.1*u) + log(abs(u)) + tanh(u) + atan2(u, u[1]) + focal_median(u, 1)", 1);
    for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
      Object expected = type.newArray(96);
      Object actual = type.newArray(96);
      for (int i = 0; i < 96; i++) {
        double cell = (37 * i % 101 - 50) / 4.0;
        Array.set(expected, i, type == ElementType.F32 ? (Object) (float) cell : (Object) cell);
        Array.set(actual, i, Array.get(expected, i));
      }
      runOnCpu(
          program,
          new ProgramArrays(type, Extent.of(96), List.of(expected)),
          ParameterValues.NONE,
          2);
      run(
          program,
          new ProgramArrays(type, Extent.of(96), List.of(actual)),
          ParameterValues.NONE,
          2);
      assertThat(actual).as(type.toString()).isEqualTo(expected);
    }
  }

  @Test
  void programsAtRandomOnFieldsOfSeveralTilesHaveTheBitsOfTheCpu() {
    int count = ExhaustiveRun.programs(LARGE);
    long seed = ExhaustiveRun.firstSeed() + 1_000_000;
    RandomPrograms programs = new RandomPrograms(seed);
    Random random = new Random(seed);
    int done = 0;
    for (int i = 0; done < count; i++) {
      ProgramCase test = large(programs.nextCase(), random);
      if (hasFusedKernels(test)) {
        ProgramConformance.requireSameResults(
            EmulatedProgramsTest::runOnCpu,
            this::run,
            test,
            "case %d of seed %d".formatted(i, seed));
        done++;
      }
    }
    ExhaustiveRun.summarize(
        "larger programs at random on an emulated device",
        Map.of("programs", count, "warp instructions", emulator.instructions()));
  }

  private static boolean hasFusedKernels(ProgramCase test) {
    FieldLayout layout = FieldLayout.ofSizes(test.type(), test.extent().sizes());
    return !FusedKernels.candidates(
            ProgramTraits.of(test.program()),
            test.type(),
            layout.forKernels(test.program().dimensions()),
            DeviceTraits.H200)
        .isEmpty();
  }

  /** Returns a case with fields of which kernels of several steps have several tiles. */
  private static ProgramCase large(ProgramCase test, Random random) {
    Extent extent =
        switch (test.program().dimensions()) {
          case 1 -> Extent.of(6_000 + random.nextInt(6_000));
          case 2 -> Extent.of(50 + random.nextInt(60), 200 + random.nextInt(200));
          default ->
              Extent.of(18 + random.nextInt(10), 30 + random.nextInt(30), 90 + random.nextInt(50));
        };
    int steps = 1 + random.nextInt(9);
    return new ProgramCase(test.program(), test.type(), extent, steps, test.kind(), test.seed());
  }

  /** Warps that share the steps of such a program have no rows to hand on. */
  @Test
  void aFieldThatReadsNothingHasTheBitsOfTheCpu() {
    StencilProgram program =
        StencilProgram.of(
            StencilProgram.axes(2),
            builder -> builder.update(builder.field("u"), Expression.constant(1)));
    ProgramCase test =
        new ProgramCase(program, ElementType.F64, Extent.of(1, 100), 9, CellMix.ORDINARY, 1);
    ProgramConformance.requireSameResults(
        EmulatedProgramsTest::runOnCpu, this::run, test, "a constant field");
  }

  @Test
  void fieldsThatDoNotFitHaveTheBitsOfTheCpu() {
    Map<String, String> little = Map.of(GpuOptions.DEVICE_BYTES.key(), "100000");
    List<String> wrong = new ArrayList<>();
    try (GpuPrograms small = ProgramChecks.open(gpu.driver(), little, FusedSource.ESTIMATED)) {
      for (String boundary : List.of("reflect", "wrap", "constant:2")) {
        wrong.addAll(
            ProgramChecks.check(
                small,
                "u' = u + a*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)",
                boundary,
                Accuracy.FMA,
                ElementType.F64,
                Extent.of(130, 131),
                7));
      }
    }
    assertThat(wrong).isEmpty();
  }
}
