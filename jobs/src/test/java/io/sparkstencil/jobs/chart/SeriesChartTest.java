/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.chart.SeriesChart.Curve;
import io.sparkstencil.jobs.chart.SeriesChart.Look;
import io.sparkstencil.jobs.chart.SeriesChart.Panel;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SeriesChartTest {
  private static final int RESULT_RGB = 0xc83e2b;

  private static final Set<Integer> RESULT_COLOURS =
      new TreeSet<>(List.of(RESULT_RGB, 0x1f5fa8, 0x2b8a5a, 0x8a5ab0, 0xc07f10, 0x1a8f9a));

  /** Columns from the top of a spike to its flank, of months, a quarter below the top. */
  private static final int FLANK = 12;

  private static final double MILLIS_PER_DAY = 86_400_000;

  @TempDir private Path folder;

  @Test
  void drawsARisingLineFromLowLeftToHighRight() throws IOException {
    BufferedImage image = draw(false, 1, i -> i);

    assertThat(firstRow(image, 200)).isGreaterThan(firstRow(image, 1000));
  }

  @Test
  void breaksTheLineWhereThereIsNoValue() throws IOException {
    BufferedImage image = draw(false, 1, i -> i > 40 && i < 60 ? Double.NaN : 1);

    assertThat(firstRow(image, 300)).isPositive();
    assertThat(firstRow(image, 620)).isNegative();
    assertThat(firstRow(image, 1000)).isPositive();
  }

  @Test
  void drawsDatesOverDaysAndOverDecades() throws IOException {
    assertThat(firstRow(draw(true, MILLIS_PER_DAY, i -> i), 600)).isPositive();
    assertThat(firstRow(draw(true, 365 * MILLIS_PER_DAY, i -> i), 600)).isPositive();
  }

  /** One day in each month, its first, has a value of its own, drawn as a spike. */
  @ParameterizedTest
  @ValueSource(ints = {400, 730, 1461, 3000})
  void putsTicksOfMonthsWhereMonthsBegin(int days) throws IOException {
    LocalDate first = LocalDate.of(2012, 1, 1);
    double[] at = new double[days];
    double[] values = new double[days];
    for (int i = 0; i < days; i++) {
      at[i] = first.plusDays(i).toEpochDay() * MILLIS_PER_DAY;
      values[i] = first.plusDays(i).getDayOfMonth() == 1 ? 1 : 0;
    }
    assertTicksAtSpikes(at, values);
  }

  /** Months of the same length on the axis: January or the first of a half-year is a spike. */
  @ParameterizedTest
  @CsvSource({"746, 12", "160, 12", "48, 6", "30, 3"})
  void putsTicksOfMonthlyValuesWhereYearsAndHalvesBegin(int months, int every) throws IOException {
    LocalDate first = LocalDate.of(1958, 3, 1);
    double[] at = new double[months];
    double[] values = new double[months];
    for (int i = 0; i < months; i++) {
      at[i] = first.plusMonths(i).toEpochDay() * MILLIS_PER_DAY;
      values[i] = (first.plusMonths(i).getMonthValue() - 1) % every == 0 ? 1 : 0;
    }
    assertTicksAtSpikes(at, values);
  }

  private void assertTicksAtSpikes(double[] at, double[] values) throws IOException {
    Path file = folder.resolve("ticks.png");
    new SeriesChart("t", true)
        .add(new Panel("title", "unit", List.of(new Curve("v", at, values, Look.RESULT))))
        .writePng(file);
    BufferedImage image = ImageIO.read(file.toFile());
    int high = image.getHeight() / 4; // where spikes are narrow
    List<Integer> red =
        IntStream.range(0, image.getWidth())
            .filter(column -> (image.getRGB(column, high) & 0xffffff) == RESULT_RGB)
            .boxed()
            .toList();
    int first = red.get(0);
    int last = red.get(red.size() - 1);
    List<Integer> ticks =
        ticks(image).stream().filter(tick -> tick >= first && tick <= last).toList();

    assertThat(ticks).hasSizeBetween(4, 14);
    // The two flanks of a spike may lie apart: the tick is between them, or within a column.
    assertThat(ticks).allMatch(tick -> near(red, tick, -1) && near(red, tick, 1));
  }

  /** Tells whether a column of the curve is at most a few columns before or after the tick. */
  private static boolean near(List<Integer> red, int tick, int side) {
    return red.stream().anyMatch(c -> side * (c - tick) >= -1 && side * (c - tick) <= FLANK);
  }

  /** Returns the columns of the marks below the horizontal axis, its lowest long line. */
  private static List<Integer> ticks(BufferedImage image) {
    int row = image.getHeight();
    long inked;
    do {
      int each = --row;
      inked = inked(image, each).count();
    } while (inked < image.getWidth() / 2);
    return inked(image, row + 2).boxed().toList();
  }

  private static IntStream inked(BufferedImage image, int row) {
    return IntStream.range(0, image.getWidth())
        .filter(column -> (image.getRGB(column, row) & 0xffffff) != 0xffffff);
  }

  @Test
  void putsPanelsOneAboveTheOther() throws IOException {
    Panel panel = panel(1, i -> i);
    Path file = folder.resolve("two.png");
    new SeriesChart("t", false).add(panel).add(panel).writePng(file);

    BufferedImage one = draw(false, 1, i -> i);
    assertThat(ImageIO.read(file.toFile()).getHeight()).isEqualTo(2 * one.getHeight());
  }

  /** Curves of values of very different lengths as text, and of other positions. */
  @Test
  void panelsShareTheirAxes() throws IOException {
    Path file = folder.resolve("shared.png");
    double[] at = {0, 50, 100};
    new SeriesChart("t", false)
        .add(new Panel("a", "v", List.of(new Curve("v", at, new double[] {0, 1, 0}, Look.RESULT))))
        .add(
            new Panel(
                "b", "w", List.of(new Curve("w", at, new double[] {-1e6, 1e6, -1e6}, Look.RESULT))))
        .add(
            new Panel(
                "c",
                "v",
                List.of(
                    new Curve(
                        "v", new double[] {25, 50, 75}, new double[] {0, 0.5, 0}, Look.RESULT))))
        .writePng(file);
    BufferedImage image = ImageIO.read(file.toFile());
    int height = image.getHeight() / 3;
    int[] peaks = new int[3];
    int[] tops = new int[3];
    for (int panel = 0; panel < 3; panel++) {
      BufferedImage part = image.getSubimage(0, panel * height, image.getWidth(), height);
      int top = 0;
      while (redColumns(part, top).length == 0) {
        top++;
      }
      peaks[panel] = redColumns(part, top)[0];
      tops[panel] = top;
    }

    assertThat(peaks[1]).isBetween(peaks[0] - 2, peaks[0] + 2);
    assertThat(peaks[2]).isBetween(peaks[0] - 2, peaks[0] + 2);
    assertThat(tops[2] - tops[0]).as("half as high in the same range").isGreaterThan(height / 5);
  }

  private static int[] redColumns(BufferedImage image, int row) {
    return IntStream.range(0, image.getWidth())
        .filter(column -> (image.getRGB(column, row) & 0xffffff) == RESULT_RGB)
        .toArray();
  }

  /** Lines of many points that do not rise: what is above and below them are marks. */
  @Test
  void resultsHaveMarksOfTheirOwnWhichShowInPrintWithoutColours() throws IOException {
    double[] at = IntStream.range(0, 1000).asDoubleStream().toArray();
    List<Curve> results =
        IntStream.range(0, 6)
            .mapToObj(
                i -> {
                  double[] values = new double[at.length];
                  Arrays.fill(values, i);
                  return new Curve("r" + i, at, values, Look.RESULT);
                })
            .toList();
    Path file = folder.resolve("marks.png");
    new SeriesChart("t", false).add(new Panel("title", "v", results)).writePng(file);
    BufferedImage image = ImageIO.read(file.toFile());

    Map<Integer, List<Integer>> shapes = new TreeMap<>();
    for (int rgb : RESULT_COLOURS) {
      int line =
          IntStream.range(0, image.getHeight())
              .boxed()
              .max(Comparator.comparing(row -> inked(image, row, rgb)))
              .orElseThrow();
      assertThat(inked(image, line, rgb)).as("the line").isGreaterThan(image.getWidth() / 2);
      shapes.put(rgb, Stream.of(-4, -3, 3, 4).map(i -> inked(image, line + i, rgb)).toList());
    }
    assertThat(new HashSet<>(shapes.values()))
        .as("pixels above and below the lines: %s", shapes)
        .hasSize(6);
    assertThat(shapes.get(RESULT_RGB)).containsOnly(0);
  }

  private static int inked(BufferedImage image, int row, int rgb) {
    return (int)
        IntStream.range(0, image.getWidth())
            .filter(column -> (image.getRGB(column, row) & 0xffffff) == rgb)
            .count();
  }

  /** The first values lie where a legend inside of the panel would. */
  @Test
  void theLegendCoversNoValuesAndDataShowBesideResults() throws IOException {
    Path file = folder.resolve("legend.png");
    double[] at = {0, 1, 2, 3};
    double[] values = {1, 1, 0, 0};
    new SeriesChart("t", false)
        .add(
            new Panel(
                "title",
                "v",
                List.of(
                    new Curve("v", at, values, Look.DATA),
                    new Curve("v_mean", at, values, Look.RESULT))))
        .writePng(file);
    BufferedImage image = ImageIO.read(file.toFile());

    int row = firstRow(image, 200);
    assertThat(row).isBetween(30, image.getHeight() / 4);
    assertThat(image.getRGB(200, row - 1) & 0xffffff).isNotEqualTo(0xffffff);
    assertThat(firstRow(image, 100)).isBetween(row - 2, row + 2);
  }

  private BufferedImage draw(boolean dates, double step, DoubleUnaryOperator value)
      throws IOException {
    Path file = folder.resolve("one.png");
    new SeriesChart("t", dates).add(panel(step, value)).writePng(file);
    return ImageIO.read(file.toFile());
  }

  private static Panel panel(double step, DoubleUnaryOperator value) {
    double[] at = new double[101];
    double[] values = new double[101];
    for (int i = 0; i < at.length; i++) {
      at[i] = i * step;
      values[i] = value.applyAsDouble(i);
    }
    return new Panel("title", "unit", List.of(new Curve("v", at, values, Look.RESULT)));
  }

  /** Returns the first row in which the column has a pixel of the curve, or -1. */
  private static int firstRow(BufferedImage image, int column) {
    for (int row = 0; row < image.getHeight(); row++) {
      if ((image.getRGB(column, row) & 0xffffff) == RESULT_RGB) {
        return row;
      }
    }
    return -1;
  }
}
