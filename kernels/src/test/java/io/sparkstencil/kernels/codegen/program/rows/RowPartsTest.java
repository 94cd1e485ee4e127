/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which columns kernels of rows compute, and how blocks share them. */
class RowPartsTest {
  private static final String HEAT = "u' = u + 0.1*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)";

  private static FusedKernel kernel(String boundary, FusedKernel.Layout layout) {
    StencilProgram program = BoundaryText.apply(ProgramText.parse(HEAT), boundary);
    return RowStreams.fastestFirst(
            ProgramTraits.of(program), ElementType.F64, layout, DeviceTraits.H200)
        .get(0);
  }

  private static FusedKernel.Layout layout(int rows, int columns) {
    return new FusedKernel.Layout(List.of(rows, columns), (columns + 15) / 16 * 16);
  }

  @Test
  void rowsAreHeldToTheirEndsUnlessTheyWrap() {
    FusedKernel.Layout layout = layout(500, 2001);
    FusedKernel.Span held = kernel("reflect", layout).results(layout).orElseThrow();
    assertThat(held.low().get(1)).isZero();
    assertThat(held.high().get(1)).isEqualTo(2001);
    FusedKernel.Span wrapped = kernel("y=wrap", layout).results(layout).orElseThrow();
    assertThat(wrapped.low().get(1)).isPositive();
    assertThat(wrapped.high().get(1)).isLessThan(2001);
  }

  @Test
  void aKernelHasNoResultsWhereRowsEndElsewhereInTheirLastChunk() {
    FusedKernel kernel = kernel("reflect", layout(500, 2001));
    assertThat(kernel.results(layout(500, 2003))).isPresent();
    assertThat(kernel.results(layout(500, 2002))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 132, 1056})
  void blocksCoverTheResults(int resident) {
    FusedKernel.Layout layout = layout(16_000, 16_000);
    FusedKernel kernel = kernel("reflect", layout);
    FusedKernel.Span results = kernel.results(layout).orElseThrow();
    FusedKernel.Launch launch = kernel.launch(layout, results, resident);
    int tiles = launch.numbers().get(5);
    int columns = launch.numbers().get(2) - launch.numbers().get(1);
    assertThat(tiles * kernel.generate().outputsPerBlock()).isGreaterThanOrEqualTo(columns);
    assertThat(launch.blocks() % tiles).isZero();
    int longOnes = launch.numbers().get(6);
    int shortOnes = launch.blocks() / tiles - longOnes;
    assertThat(longOnes * launch.numbers().get(7) + shortOnes * launch.numbers().get(8))
        .isGreaterThanOrEqualTo(results.high().get(0) - results.low().get(0));
  }
}
