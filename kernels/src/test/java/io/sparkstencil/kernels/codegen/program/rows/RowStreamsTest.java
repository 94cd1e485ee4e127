/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.kernels.ExhaustiveRun;
import io.sparkstencil.kernels.codegen.PtxAssembler;
import io.sparkstencil.kernels.codegen.program.BoxText;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernels of programs with several fields fill the registers, but not more. */
class RowStreamsTest {
  private static final FusedKernel.Layout PLANE = new FusedKernel.Layout(List.of(3001, 4099), 4128);
  private static final FusedKernel.Layout LARGE =
      new FusedKernel.Layout(List.of(16_384, 16_384), 16_384);
  private static final int FULLEST = 2;
  private static final List<Boundary> BOUNDARIES =
      List.of(
          Boundary.REFLECT, Boundary.MIRROR, Boundary.NEAREST, Boundary.constant(2), Boundary.WRAP);

  private static final String FIVE =
      "u' = 0.1*u[-1,0] + 0.15*u[0,-1] + 0.5*u + 0.11*u[0,1] + 0.12*u[1,0]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "F32 | EXACT | u' = u + (0.16*laplacian(u, 2) - u*v*v + 0.035*(1 - u));"
            + " v' = v + (0.08*laplacian(v, 2) + u*v*v - 0.1*v)",
        "F32 | EXACT | u' = 2*u - p + 0.2*laplacian(u, 2); p' = u",
        "F64 | FMA   | u' = u + dt*(laplacian(u, 2) + u - u*u*u - v); v' = v + dt*0.1*(u - 0.5*v)",
        "F64 | FMA   | u' = c[0,0]*u[-1,0] + 0.15*u[0,-1] + 0.5*u + c[1,-1]*u[1,0]",
        "F32 | EXACT | u' = min(y, y + c[1,5])"
      })
  void thoseWithTheMostRegistersSpillNothing(ElementType type, Accuracy accuracy, String text) {
    ProgramTraits traits = ProgramTraits.of(ProgramText.parse(text, 2).withAccuracy(accuracy));
    for (FusedKernel kernel : fullestFirst(traits, type, PLANE).subList(0, FULLEST)) {
      for (int architecture : List.of(80, 90)) {
        PtxAssembler.Report report = PtxAssembler.bundled(kernel.generate().ptx(), architecture);
        assertThat(report.accepted()).as(report.log()).isTrue();
        assertThat(report.spilledBytes()).as(kernel + ", sm_" + architecture).isZero();
        assertThat(report.registers()).isGreaterThan(180);
      }
    }
  }

  private static List<FusedKernel> fullestFirst(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout) {
    return RowStreams.fastestFirst(traits, type, layout, DeviceTraits.H200).stream()
        .sorted(Comparator.comparing(kernel -> -HeldRegisters.of(((RowStream) kernel).tile())))
        .toList();
  }

  private static final String THIRTEEN =
      "u' = 0.02*u[-3,0] + 0.03*u[-2,0] + 0.1*u[-1,0] + 0.015*u[0,-3] + 0.025*u[0,-2] + 0.1*u[0,-1]"
          + " + 0.3*u + 0.11*u[0,1] + 0.021*u[0,2] + 0.013*u[0,3] + 0.12*u[1,0] + 0.03*u[2,0]"
          + " + 0.02*u[3,0]";

  private static int warps(FusedKernel kernel) {
    return ((RowStream) kernel).tile().shape().warps();
  }

  private static List<FusedKernel> kernels(
      String text, Accuracy accuracy, ElementType type, DeviceTraits device) {
    ProgramTraits traits = ProgramTraits.of(ProgramText.parse(text, 2).withAccuracy(accuracy));
    return RowStreams.fastestFirst(traits, type, LARGE, device);
  }

  @Test
  void eightWarpsShareInstructionsWhereFewNumbersTakeManySteps() {
    FusedKernel first = kernels(FIVE, Accuracy.FMA, ElementType.F64, DeviceTraits.H200).get(0);
    assertThat(warps(first)).isEqualTo(8);
    assertThat(first.steps()).isEqualTo(24);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "F32 | 90 | u' = 0.5*u[-1,0] + 0.5*u[0,1]",
        "F64 | 70 | u' = 0.5*u[-1,0] + 0.5*u[0,1]",
        "F64 | 90 | u' = 0.5*u[-1,0] + dt*u[0,1]",
        "F64 | 90 | u' = 0.5*u[-1,0] + 0.001*x*u[0,1]",
        "F64 | 90 | u' = 0.5*u[-1,0] + c[0,0]*u[0,1]",
        "F64 | 90 | v' = v + 0.1*u[0,1]; u' = 0.5*u[-1,0] + 0.1*v'"
      })
  void warpsThatDoDifferentThingsShareNone(ElementType type, int capability, String text) {
    DeviceTraits device = new DeviceTraits(capability, DeviceTraits.H200.sharedBytesPerBlock());
    assertThat(kernels(text, Accuracy.FMA, type, device))
        .isNotEmpty()
        .allMatch(kernel -> warps(kernel) <= 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FMA   | " + FIVE,
        "EXACT | u' = u + 0.1*laplacian(u)",
        "FMA   | " + THIRTEEN,
        "EXACT | u' = max(min(u[-1,0], u[1,0]), u[0,1])",
        "EXACT | u' = u[1,2] / 1.5"
      })
  void warpsThatShareInstructionsSpillNothing(Accuracy accuracy, String text) {
    List<FusedKernel> sharing = new ArrayList<>();
    for (Boundary boundary : BOUNDARIES) {
      ProgramTraits traits =
          ProgramTraits.of(
              ProgramText.parse(text, 2).withAccuracy(accuracy).withBoundary(boundary));
      for (FusedKernel.Layout layout : List.of(LARGE, PLANE)) {
        List<FusedKernel> found =
            RowStreams.fastestFirst(traits, ElementType.F64, layout, DeviceTraits.H200).stream()
                .filter(kernel -> warps(kernel) == 8)
                .toList();
        assertThat(found).isNotEmpty();
        sharing.addAll(found);
      }
    }
    int every = ExhaustiveRun.isAsked() ? 1 : BOUNDARIES.size();
    IntStream.range(0, sharing.size())
        .filter(turn -> turn % every == 0)
        .parallel()
        .forEach(turn -> requireNoSpills(sharing.get(turn)));
  }

  /** They take nearly all registers: what lies at the ends decides whether they spill. */
  @ParameterizedTest
  @EnumSource(names = {"F32", "F64"})
  void ninePointsSpillNothingWhateverLiesAtTheEndsOfRows(ElementType type) {
    int chunk = RowTile.CHUNK_BYTES / type.bytes();
    List<FusedKernel> fullest = new ArrayList<>();
    for (Boundary boundary : BOUNDARIES) {
      ProgramTraits traits =
          ProgramTraits.of(
              ProgramText.parse(BoxText.ofRadius(1))
                  .withAccuracy(Accuracy.FMA)
                  .withBoundary(boundary));
      for (int padding : List.of(0, chunk / 2)) {
        FusedKernel.Layout layout = new FusedKernel.Layout(List.of(3001, 4096 - padding), 4096);
        fullest.add(fullestFirst(traits, type, layout).get(0));
      }
    }
    fullest.parallelStream().forEach(RowStreamsTest::requireNoSpills);
  }

  /** Requires that ptxas accepts a kernel and spills nothing, as far as it knows a device. */
  static void requireNoSpills(FusedKernel kernel) {
    String text = kernel.generate().ptx();
    for (int architecture : List.of(80, 90)) {
      PtxAssembler.Report report = PtxAssembler.bundled(text, architecture);
      assertThat(report.accepted()).as(report.log()).isTrue();
      assertThat(report.spilledBytes()).as(kernel + ", sm_" + architecture).isZero();
    }
    PtxAssembler.installed()
        .map(ptxas -> PtxAssembler.with(ptxas, text, 100))
        .filter(PtxAssembler.Report::accepted) // older ones do not know it
        .ifPresent(report -> assertThat(report.spilledBytes()).as(kernel + ", sm_100").isZero());
  }
}
