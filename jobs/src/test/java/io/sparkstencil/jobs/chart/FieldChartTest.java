/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class FieldChartTest {
  private static final int MARGIN = 60;
  private static final int GAP = 70;
  private static final int WHITE = 0xffffffff;

  @Test
  void drawsMapsBesideOneAnotherInColoursOfOneRange() {
    FieldMap low = FieldMap.ofCells("x = 1", "y", "z", 1, 1, 0);
    FieldMap high = FieldMap.ofCells("y = 1", "x", "z", 1, 1, 2);

    BufferedImage image = FieldChart.of("u", "u", List.of(low, high)).image(200);

    assertThat(image.getRGB(MARGIN + 50, MARGIN + 50)).isEqualTo(0xff440154);
    assertThat(image.getRGB(MARGIN + 100 + GAP + 50, MARGIN + 50)).isEqualTo(0xfffde725);
  }

  @Test
  void keepsAGivenRangeInWhichOppositeNumbersAreOppositeColours() {
    FieldMap map = FieldMap.ofCells("", "x", "y", 1, 2, 0, 1);

    BufferedImage image = new FieldChart("u", "u", List.of(map), new ValueRange(-1, 1)).image(200);

    int zero = image.getRGB(MARGIN + 50, MARGIN + 50);
    assertThat(zero & 0xff).isGreaterThan(0xf0);
    assertThat(zero >> 16 & 0xff).isGreaterThan(0xf0);
    assertThat(image.getRGB(MARGIN + 150, MARGIN + 50)).isEqualTo(0xff870f22);
  }

  @Test
  void marksCellsOnTheAxesAlsoWhereTheMapHasFewerValues() {
    FieldMap map =
        new FieldMap(
            "",
            new FieldMap.Axis("x", 4000),
            new FieldMap.Axis("y", 4000),
            100,
            100,
            new double[100 * 100]);

    BufferedImage image = FieldChart.of("u", "u", List.of(map)).image(400);

    int below = MARGIN + 400 + 3;
    List<Integer> ticks =
        IntStream.range(MARGIN, MARGIN + 400)
            .filter(x -> image.getRGB(x, below) != WHITE)
            .boxed()
            .toList();
    assertThat(ticks).containsExactly(MARGIN, MARGIN + 100, MARGIN + 200, MARGIN + 300);
  }

  @Test
  void drawsNarrowMapsAndConstantOnes() {
    FieldMap line = FieldMap.ofCells("", "x", "y", 3, 1, 5, 5, 5);

    BufferedImage image = FieldChart.of("title", "u", List.of(line)).image(30);

    assertThat(image.getHeight()).isEqualTo(150 + 2 * MARGIN);
    assertThat(image.getRGB(MARGIN + 5, MARGIN + 15)).isEqualTo(0xff440154);
  }
}
