/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.files.TableFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The demo, compared with a computation from the file in plain Java. */
final class DemoSparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private static Path folder;

  private static List<CommandRun> runs;

  @BeforeAll
  static void runTwice() {
    runs =
        List.of(
            CommandRun.of("demo", "--output", folder.toString()),
            CommandRun.of("demo", "--output", folder.toString()));
  }

  @Test
  void equalsAPlainComputationAndCanBeRepeated() throws Exception {
    assertThat(runs).extracting(CommandRun::exitCode).containsExactly(0, 0);
    CommandRun run = runs.get(1);

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("746 months from 1958-03 to 2020-04, 5 not measured")
        .contains("1960s", "2010s", "engine", "rows    746", "co2.png", "6,000 steps", "spots.gif");
    List<Row> rows =
        TableFormat.PARQUET
            .read(SPARK.session(), folder.resolve("co2.parquet").toString())
            .sort("month")
            .collectAsList();
    Map<LocalDate, Double> measured = measured("CO2");
    assertThat(rows).hasSize(746);
    assertThat(rows.stream().filter(row -> row.isNullAt(1))).hasSize(5);
    for (Row row : rows) {
      LocalDate month = LocalDate.parse(row.get(0).toString());
      assertThat(row.<Double>getAs("co2_ppm")).isEqualTo(measured.get(month));
      assertThat(row.<Double>getAs("trend_ppm")).isEqualTo(trend(measured, month));
      assertThat(row.<Double>getAs("growth_ppm_per_year")).isEqualTo(growth(measured, month));
    }
  }

  @Test
  void isPlausible() throws Exception {
    Map<LocalDate, Double> adjusted = measured("adjusted CO2");
    List<Row> rows =
        TableFormat.PARQUET
            .read(SPARK.session(), folder.resolve("co2.parquet").toString())
            .where("trend_ppm IS NOT NULL AND co2_ppm IS NOT NULL")
            .collectAsList();
    assertThat(rows).hasSizeGreaterThan(680);
    for (Row row : rows) {
      // The source's own way of taking the seasons out leaves the weather of single months in.
      Double other = adjusted.get(LocalDate.parse(row.get(0).toString()));
      assertThat(Math.abs(row.<Double>getAs("trend_ppm") - other)).isLessThan(2);
    }
    assertThat(ImageIO.read(folder.resolve("co2.png").toFile()).getHeight()).isGreaterThan(800);
    JsonNode report = new ObjectMapper().readTree(folder.resolve("report.json").toFile());
    assertThat(report.get("rows").asLong()).isEqualTo(746);
    // The second pass takes the edges of the first one's partitions as they are made, so that some
    // of these run, and count, twice.
    assertThat(report.get("partitions").asLong()).isGreaterThanOrEqualTo(2 * 4);
    // Six months to each side of three cuts for the mean, one for its derivative.
    assertThat(report.get("haloCellsMoved").asLong()).isGreaterThanOrEqualTo(2 * 3 * (6 + 1));
  }

  private static Map<LocalDate, Double> measured(String column) throws Exception {
    Path csv = Path.of(System.getProperty("stencil.home"), "examples/data/co2-concentration.csv");
    List<String> lines = Files.readAllLines(csv);
    int index = List.of(lines.get(0).split(",")).indexOf(column);
    Map<LocalDate, Double> values = new HashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",");
      values.put(LocalDate.parse(fields[0]), Double.valueOf(fields[index]));
    }
    return values;
  }

  private static Double trend(Map<LocalDate, Double> measured, LocalDate month) {
    double sum = 0.0;
    for (int offset = -6; offset <= 6; offset++) {
      Double value = measured.get(month.plusMonths(offset));
      if (value == null) {
        return null;
      }
      sum += (Math.abs(offset) == 6 ? 0.5 / 12 : 1.0 / 12) * value;
    }
    return sum;
  }

  private static Double growth(Map<LocalDate, Double> measured, LocalDate month) {
    Double before = trend(measured, month.minusMonths(1));
    Double here = trend(measured, month);
    Double after = trend(measured, month.plusMonths(1));
    if (before == null || here == null || after == null) {
      return null;
    }
    double slope = 0.5 / (1.0 / 12); // per year
    return 0.0 + -slope * before + 0 * here + slope * after;
  }
}
