/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.program.Extent;
import io.sparkstencil.program.text.ProgramText;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slopes of planes, which are known. */
final class TerrainTest {
  private static final Extent RASTER = Extent.of(5, 5);
  private static final int MIDDLE = 12;

  /** Heights that rise by so much from row to row, to the south, and from column to column. */
  private static double[] plane(double south, double east) {
    return ReferenceRun.cells(RASTER, p -> 100 + south * p[0] + east * p[1]);
  }

  private static double at(String text, double south, double east) {
    return ReferenceRun.steps(ProgramText.parse(text, 2), RASTER, 1, plane(south, east))[MIDDLE];
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "0, 2", "-3, 4", "0.1, -0.2", "0, 0"})
  void aPlaneHasItsSlope(double south, double east) {
    double rise = Math.hypot(south / 30, east / 20);
    assertThat(at("slope(u, 30, 20)", south, east))
        .isCloseTo(Math.toDegrees(Math.atan(rise)), Offset.offset(1e-11));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 0",
    "-1, 0, 180",
    "0, 1, 270",
    "0, -1, 90",
    "1, -1, 45",
    "-1, -1, 135",
    "-1, 1, 225",
    "1, 1, 315"
  })
  void aPlaneFallsInItsDirection(double south, double east, double degrees) {
    assertThat(at("aspect(u)", south, east)).isCloseTo(degrees, Offset.offset(1e-12));
  }

  @Test
  void directionsAreOnTheGroundAndNotInCells() {
    assertThat(at("aspect(u, 1, 2)", 1, -1))
        .isCloseTo(Math.toDegrees(Math.atan2(0.5, 1)), Offset.offset(1e-12));
  }

  @Test
  void whatIsFlatHasNoDirection() {
    assertThat(at("aspect(u)", 0, 0)).isNaN();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "-2, 3", "0.2, -0.1", "-5, 5"})
  void aPlaneIsAsBrightAsTheLightIsUprightOnIt(double south, double east) {
    double azimuth = Math.toRadians(315);
    double altitude = Math.toRadians(45);
    double cosine =
        (-east * Math.sin(azimuth) * Math.cos(altitude)
                + south * Math.cos(azimuth) * Math.cos(altitude)
                + Math.sin(altitude))
            / Math.sqrt(1 + south * south + east * east);
    assertThat(at("hillshade(u)", south, east))
        .isCloseTo(1 + 254 * Math.max(0, cosine), Offset.offset(1e-11));
  }

  @Test
  void aMissingCellLeavesItsNeighboursWithout() {
    double[] heights = plane(1, 2);
    heights[MIDDLE] = Double.NaN;
    for (String text : new String[] {"slope(u)", "aspect(u)", "hillshade(u)"}) {
      double[] found = ReferenceRun.steps(ProgramText.parse(text, 2), RASTER, 1, heights);
      for (int cell = 0; cell < found.length; cell++) {
        int[] p = ReferenceRun.position(RASTER, cell);
        boolean near = Math.abs(p[0] - 2) <= 1 && Math.abs(p[1] - 2) <= 1;
        assertThat(Double.isNaN(found[cell])).as("%s at %d", text, cell).isEqualTo(near);
      }
    }
  }

  @Test
  void heightsHaveTwoAxes() {
    assertThatThrownBy(() -> ProgramText.parse("slope(u)", 3))
        .hasMessageContaining("u has 3 axes, and heights have 2, rows and columns");
  }
}
