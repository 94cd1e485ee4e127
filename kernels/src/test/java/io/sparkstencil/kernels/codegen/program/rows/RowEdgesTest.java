/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.kernels.codegen.program.EdgeKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels that hold the boundary and those that do not share all cells between them. */
class RowEdgesTest {
  private static final String HEAT = "u' = u + 0.1*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)";
  private static final String ONE_SIDE = "u' = 0.5*u[-2,0] + 0.5*u[0,3]";

  private static FusedKernel kernel(String text, String boundary, FusedKernel.Layout layout) {
    StencilProgram program = BoundaryText.apply(ProgramText.parse(text), boundary);
    return RowStreams.fastestFirst(
            ProgramTraits.of(program), ElementType.F64, layout, DeviceTraits.H200)
        .get(0);
  }

  private static FusedKernel.Layout layout(int rows, int columns) {
    return new FusedKernel.Layout(List.of(rows, columns), (columns + 15) / 16 * 16);
  }

  private static Optional<EdgeKernel> edges(String text, String boundary, int rows, int columns) {
    FusedKernel.Layout layout = layout(rows, columns);
    return kernel(text, boundary, layout).edges(layout, DeviceTraits.H200);
  }

  private static int cells(FusedKernel.Span span) {
    int rows = span.high().get(0) - span.low().get(0);
    return rows * (span.high().get(1) - span.low().get(1));
  }

  private static boolean overlap(FusedKernel.Span a, FusedKernel.Span b) {
    for (int axis = 0; axis < 2; axis++) {
      if (a.high().get(axis) <= b.low().get(axis) || b.high().get(axis) <= a.low().get(axis)) {
        return false;
      }
    }
    return true;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        HEAT + "; reflect; 500; 2001",
        HEAT + "; mirror; 90; 2000",
        HEAT + "; x=wrap; 500; 2001",
        HEAT + "; y=wrap; 500; 2001",
        ONE_SIDE + "; nearest; 300; 2003",
        ONE_SIDE + "; constant:1; 301; 2002"
      })
  void eachCellIsComputedByOneKernel(String text, String boundary, int rows, int columns) {
    EdgeKernel.Division division = edges(text, boundary, rows, columns).orElseThrow().division();
    List<FusedKernel.Span> all = new ArrayList<>(division.boxes());
    all.add(division.inside());
    for (int i = 0; i < all.size(); i++) {
      for (int j = 0; j < i; j++) {
        assertThat(overlap(all.get(i), all.get(j))).isFalse();
      }
    }
    assertThat(all.stream().mapToInt(RowEdgesTest::cells).sum())
        .isEqualTo(cells(division.covered()));
    FusedKernel.Layout layout = layout(rows, columns);
    FusedKernel.Span results = kernel(text, boundary, layout).results(layout).orElseThrow();
    for (int axis = 0; axis < 2; axis++) {
      assertThat(division.inside().low().get(axis)).isGreaterThanOrEqualTo(results.low().get(axis));
      assertThat(division.inside().high().get(axis)).isLessThanOrEqualTo(results.high().get(axis));
    }
  }

  @Test
  void axesAlongWhichNothingWrapsAreCoveredWholly() {
    assertThat(edges(HEAT, "reflect", 500, 2001).orElseThrow().division().covered())
        .isEqualTo(new FusedKernel.Span(List.of(0, 0), List.of(500, 2001)));
    // x is the axis of the rows here
    FusedKernel.Span rowsWrap = edges(HEAT, "x=wrap", 500, 2001).orElseThrow().division().covered();
    assertThat(rowsWrap.low().get(0)).isPositive();
    assertThat(rowsWrap.high().get(0)).isLessThan(500);
    assertThat(rowsWrap.high().get(1)).isEqualTo(2001);
    FusedKernel.Span wrap = edges(HEAT, "y=wrap", 500, 2001).orElseThrow().division().covered();
    assertThat(wrap.low().get(1)).isPositive();
    assertThat(wrap.high().get(0)).isEqualTo(500);
  }

  @Test
  void fieldsThatWrapAlongBothAxesAndShortRowsHaveNone() {
    assertThat(edges(HEAT, "wrap", 500, 2001)).isEmpty();
    assertThat(edges(HEAT, "reflect", 500, 150)).isEmpty();
  }
}
