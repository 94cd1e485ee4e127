/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Reach;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ImageFiltersTest {
  private static final Extent IMAGE = Extent.of(5, 6);
  private static final Extent VOLUME = Extent.of(3, 3, 4);

  private static final Map<String, StencilProgram> FILTERS =
      Map.of(
          "gaussian", ImageFilters.gaussian(2, 0.8),
          "mean", ImageFilters.mean(1, 2),
          "min", ImageFilters.min(1, 2),
          "max", ImageFilters.max(0, 2),
          "sobel0", ImageFilters.sobel(0),
          "sobel1", ImageFilters.sobel(1),
          "magnitude", ImageFilters.sobelMagnitude(),
          "convolve", ImageFilters.convolve(new double[][] {{1, 0, -2}, {0.5, 3, 0}, {0, -1, 4}}),
          "volume", ImageFilters.gaussian(3, 0.6));

  static List<String> scipyResults() throws IOException {
    try (InputStream in = ImageFiltersTest.class.getResourceAsStream("scipy-filters.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scipyResults")
  void giveWhatScipyGives(String line) {
    List<String> words = List.of(line.split(" "));
    String mode = words.get(1).equals("constant") ? "constant:1.5" : words.get(1);
    StencilProgram filter = FILTERS.get(words.get(0)).withBoundary(Boundary.parse(mode));
    double[] expected = words.stream().skip(2).mapToDouble(Double::parseDouble).toArray();
    boolean volume = words.get(0).equals("volume");
    Extent extent = volume ? VOLUME : IMAGE;
    double[] cells =
        ReferenceRun.cells(
            extent,
            p ->
                volume
                    ? (p[0] * 5 + p[1] * 3 + p[2] * p[2]) % 7
                    : (p[0] * 7 + p[1] * p[1] * 3) % 11 - 2.5);

    assertThat(ReferenceRun.steps(filter, extent, 1, cells))
        .containsExactly(expected, Offset.offset(1e-12));
  }

  @Test
  void allFiltersAreComparedWithAllModes() throws IOException {
    assertThat(scipyResults()).hasSize(FILTERS.size() * 5);
  }

  @Test
  void separableFiltersPassAlongOneAxisAfterAnother() {
    StencilProgram gaussian = ImageFilters.gaussian(3, 1.5);
    ProgramTraits traits = ProgramTraits.of(gaussian);

    assertThat(gaussian.fields()).containsExactly("u_x", "u_y", "u");
    assertThat(traits.stages()).hasSize(3);
    assertThat(traits.operations()).isEqualTo(3 * (13 + 12));
    assertThat(traits.reach().get(2)).isEqualTo(new Reach(List.of(6, 6, 6), List.of(6, 6, 6)));
  }

  @Test
  void axesOfRadiusZeroAreLeftAsTheyAre() {
    assertThat(ImageFilters.mean(0, 1)).hasToString("u' = (u[0,-1] + u[0,0] + u[0,1]) / 3");
    assertThat(ImageFilters.min(1, 0, 1))
        .hasToString(
            "u_x' = min(min(u[-1,0,0], u[0,0,0]), u[1,0,0]); "
                + "u' = min(min(u_x'[0,0,-1], u_x'[0,0,0]), u_x'[0,0,1])");
    assertThat(ImageFilters.max(0, 0)).hasToString("u' = u[0,0]");
    assertThat(ImageFilters.sobel(1))
        .isEqualTo(
            ProgramText.parse(
                "u' = -1*u[-1,-1] + u[-1,1] - 2*u[0,-1] + 2*u[0,1] - u[1,-1] + u[1,1]"));
  }

  @Test
  void takeRadiiUpToWhatAProgramHolds() {
    assertThat(ImageFilters.mean(472, 476).nodes()).hasSizeLessThan(StencilProgram.MAX_NODES);
    assertThat(ImageFilters.gaussian(1, 127).nodes()).hasSizeLessThan(StencilProgram.MAX_NODES);
    assertThat(ImageFilters.gaussian(2, 72).nodes()).hasSizeLessThan(StencilProgram.MAX_NODES);
    assertThat(ImageFilters.gaussian(3, 51).nodes()).hasSizeLessThan(StencilProgram.MAX_NODES);
  }

  @Test
  void refuseWhatIsNoFilter() {
    Map<Runnable, String> refused =
        Map.of(
            () -> ImageFilters.gaussian(2, 0), "sigma is 0.0; it must be finite and above 0",
            () -> ImageFilters.gaussian(2, 90),
                "sigma 90.0 reaches 360 cells, more than 292; use a smaller",
            () -> ImageFilters.gaussian(4, 1), "a program with 4 axes",
            () -> ImageFilters.mean(1, -1), "radius -1 is below 0; use 0",
            () -> ImageFilters.max(), "a program with 0 axes",
            () -> ImageFilters.min(500, 500),
                "[500, 500] reach 2002 cells along their axes, more than 1900",
            () -> ImageFilters.sobel(2), "axis 2 of an image; use 0",
            () -> ImageFilters.convolve(new double[][] {{1, 2}}),
                "1 rows of 2 weights have no middle",
            () -> ImageFilters.convolve(new double[][] {{1}, {1, 2, 3}, {1}}),
                "row 1 has 3 weights",
            () -> ImageFilters.convolve(new double[][] {{0}}), "all weights are 0");
    refused.forEach(
        (filter, message) ->
            assertThatThrownBy(filter::run)
                .isInstanceOf(InvalidStencilException.class)
                .hasMessageContaining(message));
    assertThatThrownBy(() -> ImageFilters.convolve(new double[0][]))
        .hasMessageContaining("0 rows of 0 weights");
    assertThatThrownBy(() -> ImageFilters.convolve(new double[][] {{Double.NaN}}))
        .hasMessageContaining("NaN is not finite");
  }

  /** scipy.ndimage pads the differences with the constant, too, and finds edges where none are. */
  @Test
  void sobelContinuesTheImageByAConstantAlone() {
    StencilProgram sobel = ImageFilters.sobelMagnitude().withBoundary(Boundary.constant(2));
    double[] even = new double[IMAGE.cells()];
    Arrays.fill(even, 2);

    assertThat(ReferenceRun.steps(sobel, IMAGE, 1, even)).containsOnly(0);
  }
}
