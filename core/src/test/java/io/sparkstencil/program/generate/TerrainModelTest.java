/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.program.Extent;
import io.sparkstencil.program.text.ProgramText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A real elevation model with missing cells, whose slopes GDAL has computed and whose summaries
 * SciPy has, by make_terrain.py. {@code -Dstencil.test.terrain=FILE} takes all of the model, and
 * prints the greatest differences, which docs/rasters.md says.
 */
final class TerrainModelTest {
  private static final Map<String, double[]> RASTERS = new HashMap<>();
  private static Extent extent;
  private static String distances;

  @BeforeAll
  static void read() throws IOException {
    String whole = System.getProperty("stencil.test.terrain");
    try (InputStream in =
        whole == null
            ? TerrainModelTest.class.getResourceAsStream("terrain.txt")
            : Files.newInputStream(Path.of(whole))) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      distances = lines.get(0).replace(' ', ',');
      for (String line : lines.subList(1, lines.size())) {
        List<String> words = List.of(line.split(" "));
        extent = Extent.of(Integer.parseInt(words.get(1)), Integer.parseInt(words.get(2)));
        double[] cells = words.stream().skip(3).mapToDouble(Double::parseDouble).toArray();
        RASTERS.put(words.get(0), cells);
      }
    }
  }

  /** GDAL computes gradients in float, of heights of up to some hundred metres. */
  @ParameterizedTest
  @CsvSource({
    "slope,     'slope(u, %s)',     2e-5, true",
    "aspect,    'aspect(u)',        2e-4, true", // GDAL's takes no notice of distances
    "hillshade, 'hillshade(u, %s)', 0.501, true", // rounded to whole numbers
    "mean,      'focal_mean(u, 2)',   1e-11, false",
    "median,    'focal_median(u, 2)', 0, false",
    "stddev,    'focal_stddev(u, 2)', 1e-10, false"
  })
  void hasTheNumbersOfOtherPrograms(String name, String text, double most, boolean gdal) {
    double[] found =
        ReferenceRun.steps(
            ProgramText.parse(text.formatted(distances), 2), extent, 1, RASTERS.get("heights"));
    double[] right = RASTERS.get(name);
    double greatest = 0;
    int worst = 0;
    int compared = 0;
    for (int cell = 0; cell < right.length; cell++) {
      int[] p = ReferenceRun.position(extent, cell);
      boolean edge =
          p[0] == 0 || p[1] == 0 || p[0] == extent.size(0) - 1 || p[1] == extent.size(1) - 1;
      if (gdal && edge) {
        assertThat(right[cell]).isNaN(); // GDAL leaves edges out
        continue;
      }
      assertThat(Double.isNaN(found[cell]))
          .as("cell %d", cell)
          .isEqualTo(Double.isNaN(right[cell]));
      double difference = Math.abs(found[cell] - right[cell]);
      difference = name.equals("aspect") ? Math.min(difference, 360 - difference) : difference;
      compared += Double.isNaN(difference) ? 0 : 1;
      if (difference > greatest) {
        greatest = difference;
        worst = cell;
      }
    }
    if (System.getProperty("stencil.test.terrain") != null) {
      System.out.printf(
          Locale.ROOT,
          "%s: %d cells, greatest difference %.3g at row %d, column %d: %s, and %s elsewhere%n",
          name,
          compared,
          greatest,
          worst / extent.size(1),
          worst % extent.size(1),
          found[worst],
          right[worst]);
    }
    assertThat(compared).isGreaterThan(extent.cells() / 2);
    assertThat(greatest).isLessThanOrEqualTo(most);
  }
}
