/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.testkit.SeriesGenerator.CellMix;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Results of whole frames do not depend on the boundary. */
class SeriesOracleTest {
  private static final List<Frame> FRAMES =
      List.of(
          Frame.radius(0),
          Frame.radius(3),
          Frame.offsets(-4, -2),
          Frame.offsets(2, 5),
          Frame.radius(9));

  @Test
  void takesWholeFramesFromAnotherBoundaryAndOnlyThem() {
    SeriesGenerator generator = new SeriesGenerator(3);
    for (int size : new int[] {0, 1, 2, 7, 40}) {
      TestSeries series = generator.next(ElementType.F64, size, CellMix.SPECIAL_NULLS);
      for (Frame frame : FRAMES) {
        StencilSpec shrinking = spec(frame, Boundary.SHRINK);
        SeriesOracle.Expected other = SeriesOracle.expected(series, shrinking);
        for (Boundary boundary :
            List.of(Boundary.VALID, Boundary.constant(3), Boundary.MIRROR, Boundary.WRAP)) {
          StencilSpec spec = spec(frame, boundary);
          SeriesOracle.Expected expected = SeriesOracle.expected(series, spec);
          SeriesOracle.Expected actual = SeriesOracle.expected(series, spec, other, shrinking);
          assertThat(actual.validity()).as("%s", spec).isEqualTo(expected.validity());
          assertThat(
                  ResultComparator.difference(spec, expected, actual.values(), actual.validity()))
              .as("%s over %d cells", spec, size)
              .isEmpty();
          assertThat(actual.magnitudes()).as("%s", spec).isEqualTo(expected.magnitudes());
        }
      }
    }
  }

  @Test
  void refusesResultsOfAnotherStencil() {
    TestSeries series = new SeriesGenerator(3).next(ElementType.F64, 9, CellMix.ORDINARY);
    StencilSpec narrow = spec(Frame.radius(1), Boundary.SHRINK);
    SeriesOracle.Expected other = SeriesOracle.expected(series, narrow);

    assertThatThrownBy(
            () ->
                SeriesOracle.expected(
                    series, spec(Frame.radius(2), Boundary.SHRINK), other, narrow))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static StencilSpec spec(Frame frame, Boundary boundary) {
    return new StencilSpec(Stencil.sum(frame).withBoundary(boundary), ElementType.F64);
  }
}
