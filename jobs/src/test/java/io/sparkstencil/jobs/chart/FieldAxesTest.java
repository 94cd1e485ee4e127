/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.files.cells.FieldLabels;
import io.sparkstencil.spark.files.cells.FieldLabels.Coordinate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FieldAxesTest {
  private static FieldMap drawn(Map<String, Object> attributes, double... down) {
    FieldAxes axes = axes(attributes, down);
    double[] cells = {1, 2, 3, 4, 5, 6};
    return axes.drawn(new FieldMap("", axes.axis(0), axes.axis(1), 3, 2, cells), 0);
  }

  private static FieldAxes axes(Map<String, Object> attributes, double... down) {
    FieldLabels labels =
        new FieldLabels(
            List.of("lat", "lon"), Map.of(), Map.of("lat", new Coordinate(down, attributes)));
    return new FieldAxes(labels, List.of("x", "y"), List.of(3L, 2L));
  }

  @Test
  void latitudesRiseUpwards() {
    FieldMap south = drawn(Map.of("units", "degrees_north"), -10, 0, 20);
    FieldMap north = drawn(Map.of("units", "degrees_north"), 20, 0, -10);

    assertThat(south.values()).containsExactly(5, 6, 3, 4, 1, 2);
    assertThat(south.down().coordinates()).containsExactly(20, 0, -10);
    assertThat(north.values()).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(south.down().title()).isEqualTo("lat (degrees_north)");
    assertThat(south.across().title()).isEqualTo("y (cells)");
  }

  @Test
  void depthsRiseDownwards() {
    Map<String, Object> depth = Map.of("units", "m", "positive", "down");

    assertThat(drawn(depth, 0, 5, 20).values()).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(drawn(depth, 20, 5, 0).values()).containsExactly(5, 6, 3, 4, 1, 2);
  }

  @Test
  void coordinatesThatDoNotRiseOrFallAreNotUsed() {
    for (double[] down : new double[][] {{0, 1, 0}, {0, 0, 1}, {0, Double.NaN, 2}, {0, 1}, {}}) {
      FieldMap map = drawn(Map.of(), down);
      assertThat(map.values()).containsExactly(1, 2, 3, 4, 5, 6);
      assertThat(map.down().title()).isEqualTo("x (cells)");
    }
  }

  @Test
  void placesLieBetweenTheMiddlesOfCells() {
    for (double[] down : new double[][] {{-10, 0, 20}, {20, 0, -10}}) {
      FieldMap.Axis axis = axes(Map.of(), down).axis(0);
      assertThat(axis.place(down[0])).isEqualTo(0.5 / 3);
      assertThat(axis.place(0)).isEqualTo(0.5);
      assertThat(axis.place((down[1] + down[2]) / 2)).isEqualTo(2.0 / 3);
      assertThat(axis.coordinate(1.5)).isEqualTo((down[1] + down[2]) / 2);
    }
  }

  @Test
  void captionsSayWhereAPlaneLies() {
    FieldAxes axes = axes(Map.of("units", "m"), 0, 2.5, 20);

    assertThat(axes.caption(0, 1)).isEqualTo("lat = 2.50000 m");
    assertThat(axes.caption(1, 1)).isEqualTo("y = 1");
  }

  @Test
  void quantitiesAreWhatFilesCallThem() {
    assertThat(FieldAxes.quantity(Map.of("long_name", "sea", "units", "degC"), "u"))
        .isEqualTo("sea (degC)");
    assertThat(FieldAxes.quantity(Map.of("units", "K"), "u")).isEqualTo("u (K)");
    assertThat(FieldAxes.quantity(Map.of("standard_name", "sea", "units", " "), "u"))
        .isEqualTo("sea");
  }
}
