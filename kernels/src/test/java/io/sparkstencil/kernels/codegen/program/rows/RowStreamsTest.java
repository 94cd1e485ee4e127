/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.kernels.codegen.PtxAssembler;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.text.ProgramText;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels of programs with several fields fill the registers, but not more. */
class RowStreamsTest {
  private static final FusedKernel.Layout PLANE = new FusedKernel.Layout(List.of(3001, 4099), 4128);
  private static final int FULLEST = 2;

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
    List<FusedKernel> fullest =
        RowStreams.fastestFirst(traits, type, PLANE, DeviceTraits.H200).stream()
            .sorted(Comparator.comparing(kernel -> -HeldRegisters.of(((RowStream) kernel).tile())))
            .limit(FULLEST)
            .toList();
    for (FusedKernel kernel : fullest) {
      for (int architecture : List.of(80, 90)) {
        PtxAssembler.Report report = PtxAssembler.bundled(kernel.generate().ptx(), architecture);
        assertThat(report.accepted()).as(report.log()).isTrue();
        assertThat(report.spilledBytes()).as(kernel + ", sm_" + architecture).isZero();
        assertThat(report.registers()).isGreaterThan(180);
      }
    }
  }
}
