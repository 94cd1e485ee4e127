/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sparkstencil.kernels.codegen.PtxAssembler;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.testkit.programs.ProgramCase;
import io.sparkstencil.testkit.programs.RandomPrograms;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels of single stages are accepted for every device and spill nothing. */
final class StepKernelTest {
  private static final int[] ARCHITECTURES = {70, 80, 90};
  private static final int RANDOM_PROGRAMS = 12;

  private static void assembles(StencilProgram program, ElementType type, int... architectures) {
    ProgramTraits traits = ProgramTraits.of(program);
    BoundaryTables tables = new BoundaryTables(traits);
    for (Stage stage : traits.stages()) {
      String ptx = new StepKernel(traits, stage, type, tables).generate().ptx();
      for (int architecture : architectures) {
        PtxAssembler.Report report = PtxAssembler.bundled(ptx, architecture);
        assertThat(report.accepted()).as(report.log() + ptx).isTrue();
        assertThat(report.spilledBytes()).as(program + report.log()).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "u' = u[-1] - 2*u + u[1]",
        "u' = u + a*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)",
        "u' = u + laplacian(u, 8) + c[0,0]*x + y",
        "u' = u + 0.1*(u[-1,0,0] + u[1,0,0] + u[0,-1,0] + u[0,1,0] + u[0,0,-1] + u[0,0,1] - 6*u)",
        "p' = u; u' = 2*u - p + v*(u[-4,0,0] + u[4,0,0] + u[0,-4,0] + u[0,4,0] + u[0,0,-4] +"
            + " u[0,0,4])",
        "u' = u + v[1,0]; v' = v + sqrt(abs(u'[-1,0] / (1 + u'[0,2])))",
        "u' = where(u[0,-1] < u and not u > 3 or u == v, min(u, v[-1,-1]), max(1/u, dt))"
      })
  void programsAssembleForAllDevices(String text) {
    StencilProgram program = ProgramText.parse(text);
    assembles(program, ElementType.F32, ARCHITECTURES);
    assembles(
        program.withBoundary(Boundary.constant(0.1)).withAccuracy(Accuracy.FMA),
        ElementType.F64,
        ARCHITECTURES);
  }

  /** Too many cells to be in registers at the same time: 125 doubles take 250 of 255. */
  @ParameterizedTest
  @ValueSource(
      strings = {"reflect", "constant:0.1", "x=constant:2, y=constant:0, z.high=constant:1"})
  void boxesOfManyCellsAssembleForAllDevices(String boundary) {
    String sum =
        IntStream.range(0, 125)
            .mapToObj(
                i -> "0.0%d*u[%d,%d,%d]".formatted(100 + i, i / 25 - 2, i / 5 % 5 - 2, i % 5 - 2))
            .collect(Collectors.joining(" + "));
    StencilProgram program = BoundaryText.apply(ProgramText.parse("u' = " + sum), boundary);
    assembles(program, ElementType.F64, ARCHITECTURES);
    assembles(program.withAccuracy(Accuracy.FMA), ElementType.F64, ARCHITECTURES);
  }

  /** The newest devices need an assembler that may not be installed. */
  @Test
  void programsAssembleForBlackwell() {
    Optional<Path> ptxas = PtxAssembler.installed();
    assumeThat(ptxas).as("ptxas on the path").isPresent();
    ProgramTraits traits =
        ProgramTraits.of(ProgramText.parse("u' = u + a*laplacian(u, 4) + v[0,0,1] - x"));
    BoundaryTables tables = new BoundaryTables(traits);
    String ptx =
        new StepKernel(traits, traits.stages().get(0), ElementType.F32, tables).generate().ptx();
    PtxAssembler.Report report = PtxAssembler.with(ptxas.get(), ptx, 100);
    assumeThat(report.log()).as("ptxas knows sm_100").doesNotContain("is not defined for option");
    assertThat(report.accepted()).as(report.log()).isTrue();
    assertThat(report.spilledBytes()).isZero();
  }

  @Test
  void programsAtRandomAssemble() {
    RandomPrograms programs = new RandomPrograms(41);
    for (int i = 0; i < RANDOM_PROGRAMS; i++) {
      ProgramCase random = programs.nextCase();
      assembles(random.program(), random.type(), 90);
    }
  }

  @Test
  void tablesHaveTheBoundaryOfEverySide() {
    StencilProgram program = ProgramText.parse("u' = u[-2,0] + u[0,3] + c[1,-5]");
    StencilProgram bounded = BoundaryText.apply(program, "u.x=nearest, u.y=mirror, c=wrap");
    BoundaryTables tables = new BoundaryTables(ProgramTraits.of(bounded));
    assertThat(tables.entries()).isEqualTo(2 + 3 + 1 + 5);
    assertThat(tables.table(List.of(4, 3)))
        .containsExactly(0, 0, /* mirror */ 1, 0, 1, /* wrap */ 0, 1, 2, 0, 1, 2);
    assertThat(tables.table(List.of(1, 1))).containsOnly(0);
  }
}
