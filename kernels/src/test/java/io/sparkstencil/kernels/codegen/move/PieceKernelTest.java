/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.PtxAssembler;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Kernels that move cells: they must be accepted everywhere and spill nothing. */
class PieceKernelTest {
  private static List<GeneratedKernel> kernels() {
    List<GeneratedKernel> kernels = new ArrayList<>();
    for (int bytes : new int[] {1, 4, 8}) {
      kernels.add(PieceKernel.generate(new PieceKernel.Copy(bytes)));
    }
    List<Boundary> boundaries = new ArrayList<>(List.of(Boundary.constant(-2.5)));
    boundaries.addAll(List.of(Boundary.VALID, Boundary.SHRINK, Boundary.NEAREST));
    boundaries.addAll(List.of(Boundary.REFLECT, Boundary.MIRROR, Boundary.WRAP));
    for (Boundary boundary : boundaries) {
      for (ElementType type : ElementType.values()) {
        kernels.add(PieceKernel.generate(PieceKernel.halosOf(type, boundary)));
      }
      kernels.add(PieceKernel.generate(PieceKernel.validityOf(boundary)));
    }
    for (ValidityKernel.Task task : ValidityKernel.Task.values()) {
      kernels.add(ValidityKernel.generate(task));
    }
    return kernels;
  }

  @Test
  void assembleWithoutSpills() {
    for (GeneratedKernel kernel : kernels()) {
      for (int architecture : new int[] {70, 80, 90}) {
        PtxAssembler.Report report = PtxAssembler.bundled(kernel.ptx(), architecture);
        assertThat(report.accepted()).as("%s: %s", kernel.entryName(), report.log()).isTrue();
        assertThat(report.spilledBytes()).as(kernel.entryName()).isZero();
      }
    }
  }

  @Test
  void typesOfOneWidthShareATextWhereTheirBitsAgree() {
    assertThat(kernels().stream().map(GeneratedKernel::ptx).distinct().count()).isEqualTo(28);
  }

  @Test
  void outsideCellsAreTheConstantInTheBitsOfTheType() {
    Boundary boundary = Boundary.constant(-2.5);
    assertThat(PieceKernel.halosOf(ElementType.F32, boundary).outside())
        .isEqualTo(Float.floatToRawIntBits(-2.5f));
    assertThat(PieceKernel.halosOf(ElementType.I64, boundary).outside()).isEqualTo(-2);
    assertThat(PieceKernel.validityOf(boundary).outside()).isOne();
    assertThat(PieceKernel.validityOf(Boundary.SHRINK).outside()).isZero();
  }
}
