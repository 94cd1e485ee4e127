/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
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

    assertThat(ticks(image, 400, 400))
        .containsExactly(MARGIN, MARGIN + 100, MARGIN + 200, MARGIN + 300);
  }

  @Test
  void drawsNarrowMapsAndConstantOnes() {
    FieldMap line = FieldMap.ofCells("", "x", "y", 3, 1, 5, 5, 5);

    BufferedImage image = FieldChart.of("title", "u", List.of(line)).image(30);

    assertThat(image.getHeight()).isEqualTo(150 + 2 * MARGIN);
    assertThat(image.getRGB(MARGIN + 5, MARGIN + 15)).isEqualTo(0xff440154);
  }

  @Test
  void aRangeThatIsGivenIsDrawnAsItIs() {
    FieldMap map = FieldMap.ofCells("", "x", "y", 1, 3, -9, 0.5, 9);
    FieldLook look = new FieldLook(null, new ValueRange(-1, 2), "land", Color.BLUE);

    BufferedImage image = FieldChart.of("u", "u", List.of(map), look).image(300);

    assertThat(image.getRGB(MARGIN + 50, MARGIN + 50)).isEqualTo(0xff440154);
    assertThat(image.getRGB(MARGIN + 150, MARGIN + 50))
        .isEqualTo(0xff000000 | ColorMap.SEQUENTIAL.rgb(0.5, new ValueRange(-1, 2)));
    assertThat(image.getRGB(MARGIN + 250, MARGIN + 50)).isEqualTo(0xfffde725);
  }

  @Test
  void greyAndDivergingColoursAreThoseThatAreAskedFor() {
    FieldMap map = FieldMap.ofCells("", "x", "y", 1, 3, -1, 0, 3);

    BufferedImage grey = look(map, ColorMap.GREY).image(300);
    BufferedImage diverging = look(map, ColorMap.DIVERGING).image(300);

    assertThat(grey.getRGB(MARGIN + 50, MARGIN + 50)).isEqualTo(0xff000000);
    assertThat(grey.getRGB(MARGIN + 250, MARGIN + 50)).isEqualTo(0xffffffff);
    assertThat(diverging.getRGB(MARGIN + 150, MARGIN + 50) & 0xff).isGreaterThan(0xf0);
    assertThat(diverging.getRGB(MARGIN + 250, MARGIN + 50)).isEqualTo(0xff870f22);
  }

  private static FieldChart look(FieldMap map, ColorMap colors) {
    return FieldChart.of(
        "u", "u", List.of(map), new FieldLook(colors, null, "no value", Color.BLUE));
  }

  @Test
  void cellsWithoutANumberHaveAColourAndAnEntryOfTheLegend() {
    FieldLook look = new FieldLook(null, null, "land, or under the ice", Color.BLUE);
    FieldMap whole = FieldMap.ofCells("", "x", "y", 1, 2, 1, 2);
    FieldMap gap = FieldMap.ofCells("", "x", "y", 1, 2, Double.NaN, 2);

    BufferedImage without = FieldChart.of("u", "u", List.of(whole), look).image(200);
    BufferedImage with = FieldChart.of("u", "u", List.of(gap), look).image(200);

    assertThat(blue(without)).isZero();
    assertThat(with.getRGB(MARGIN + 50, MARGIN + 50)).isEqualTo(Color.BLUE.getRGB());
    assertThat(blue(with)).isEqualTo(100 * 100 + 13 * 13); // its frame is drawn over the patch
    assertThat(with.getWidth()).isGreaterThan(without.getWidth());
  }

  private static long blue(BufferedImage image) {
    int[] all = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    return IntStream.of(all).filter(color -> color == Color.BLUE.getRGB()).count();
  }

  @Test
  void ticksAreRoundCoordinatesWhereTheyLie() {
    FieldMap.Axis across =
        new FieldMap.Axis("lon", "degrees_east", 4, new double[] {5, 15, 25, 35});
    FieldMap map =
        new FieldMap("", new FieldMap.Axis("lat", 1), across, 1, 4, new double[] {1, 2, 3, 4});

    BufferedImage image = FieldChart.of("u", "u", List.of(map)).image(400);

    assertThat(ticks(image, 400, 100)).containsExactly(MARGIN + 100, MARGIN + 200, MARGIN + 300);
  }

  @Test
  void aLongTitleHasRoom() {
    FieldMap map = FieldMap.ofCells("", "x", "y", 1, 1, 1);

    int width = FieldChart.of("u", "u", List.of(map)).image(30).getWidth();

    assertThat(FieldChart.of("u".repeat(100), "u", List.of(map)).image(30).getWidth())
        .isGreaterThan(width + 500);
    assertThat(
            FieldChart.of("u", "temperature of the sea (degC)", List.of(map)).image(30).getWidth())
        .isEqualTo(width + 20);
  }

  /** Returns where the axis below a map has its ticks. */
  private static List<Integer> ticks(BufferedImage image, int width, int height) {
    int below = MARGIN + height + 3;
    return IntStream.range(MARGIN, MARGIN + width)
        .filter(x -> image.getRGB(x, below) != WHITE)
        .boxed()
        .toList();
  }
}
