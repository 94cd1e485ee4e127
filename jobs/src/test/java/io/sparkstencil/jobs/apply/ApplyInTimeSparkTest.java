/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames of times and distances, beside Spark's own windows over the same table. */
final class ApplyInTimeSparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private static Path given;
  private static SparkSession session;
  @TempDir private Path folder;

  @BeforeAll
  static void writeReadings() throws IOException {
    session = SPARK.session().newSession();
    session.conf().set("spark.sql.session.timeZone", "UTC");
    session.conf().set("spark.stencil.sql.enabled", "false");
    Random random = new Random(7);
    List<String> lines = new ArrayList<>(List.of("s,t,n,k,v,w"));
    long[] seconds = new long[3];
    for (int i = 0; i < 400; i++) {
      int series = random.nextInt(3);
      seconds[series] += random.nextInt(10) == 0 ? 0 : 60 + random.nextInt(4) * 1800;
      String value =
          random.nextInt(12) == 0 ? "" : Double.toString(random.nextInt(1 << 16) / 1024.0);
      lines.add(
          "s%d,%s,%s,%d,%s,%d"
              .formatted(
                  series,
                  java.time.Instant.ofEpochSecond(1_330_000_000 + seconds[series]),
                  seconds[series] / 3600.0,
                  seconds[series],
                  value,
                  random.nextInt(100)));
    }
    Files.write(given.resolve("in.csv"), lines);
    session
        .read()
        .option("header", true)
        .option("inferSchema", true)
        .csv(given.resolve("in.csv").toString())
        .selectExpr("*", "CAST(t AS DATE) AS d", "CAST(t AS TIMESTAMP_NTZ) AS z")
        .selectExpr("*", "CAST(n AS DECIMAL(9,3)) AS m", "CAST(n AS FLOAT) AS f")
        .repartition(3)
        .write()
        .parquet(given.resolve("in.parquet").toString());
  }

  static Stream<Arguments> frames() {
    String hours = "RANGE BETWEEN INTERVAL '2' HOUR PRECEDING AND INTERVAL '2' HOUR FOLLOWING";
    return Stream.of(
        Arguments.of("t", "--range 2h", hours),
        Arguments.of("z", "--range 2h", hours),
        Arguments.of("t", "--before 90min", "RANGE INTERVAL '90' MINUTE PRECEDING"),
        Arguments.of(
            "t",
            "--before -30min --after 1d",
            "RANGE BETWEEN INTERVAL '0 00:30' DAY TO MINUTE FOLLOWING AND INTERVAL '1 00:00' DAY TO MINUTE FOLLOWING"),
        Arguments.of("t", "--before 1mo --after 0", "RANGE INTERVAL '1' MONTH PRECEDING"),
        Arguments.of("d", "--after 2d", "RANGE BETWEEN CURRENT ROW AND INTERVAL '2' DAY FOLLOWING"),
        Arguments.of("n", "--range 1.5", "RANGE BETWEEN 1.5D PRECEDING AND 1.5D FOLLOWING"),
        Arguments.of("k", "--before 7200 --after 0", "RANGE 7200 PRECEDING"),
        Arguments.of("m", "--before 2.5", "RANGE 2.5BD PRECEDING"));
  }

  @ParameterizedTest
  @MethodSource("frames")
  void haveTheBitsOfSparksRanges(String order, String options, String frame) {
    CommandRun run =
        apply(order, "v,w", "--op mean,count,max --partition-by s " + options, "out.parquet");

    assertThat(run.exitCode()).as(run.err()).isZero();
    Dataset<Row> ours = read("out.parquet");
    String window = "OVER (PARTITION BY s ORDER BY %s %s)".formatted(order, frame);
    Dataset<Row> sparks =
        read(given, "in.parquet")
            .selectExpr(
                "*",
                "avg(v) " + window,
                "count(v) " + window,
                "max(v) " + window,
                "avg(w) " + window,
                "count(w) " + window,
                "max(w) " + window);
    assertThat(ours.columns()).endsWith("v_mean", "v_count", "v_max", "w_mean", "w_count", "w_max");
    // Rows of equal order values come in any order, and these sums have one value in all orders.
    assertThat(rows(ours)).hasSize(400).isEqualTo(rows(sparks));
  }

  @Test
  void oneSeriesIsSpreadOverAllTasks() {
    CommandRun run = apply("t", "v", "--op sum --range 3h --report " + folder + "/r.json", "out");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("engine  none: windows run on the CPUs")
        .contains("rows    400;");
    assertThat(rows(read("out")))
        .isEqualTo(
            rows(
                read(given, "in.parquet")
                    .selectExpr(
                        "*",
                        "sum(v) OVER (ORDER BY t RANGE BETWEEN INTERVAL '3' HOUR PRECEDING AND INTERVAL '3' HOUR FOLLOWING)")));
  }

  @Test
  void zscoresAreDistancesFromTheMeanOfTheFrameInItsDeviations() {
    CommandRun run =
        apply("t", "v", "--op max --zscore --radius 5 --partition-by s --dedupe first", "out");

    assertThat(run.exitCode()).as(run.err()).isZero();
    Dataset<Row> ours = read("out");
    String window = "OVER (PARTITION BY s ORDER BY t ROWS BETWEEN 5 PRECEDING AND 5 FOLLOWING)";
    Dataset<Row> sparks =
        ours.selectExpr(
            Stream.concat(
                    Stream.of(ours.columns()).filter(each -> !each.startsWith("v_")),
                    Stream.of(
                        "max(v) " + window,
                        "(v - avg(v) %1$s) / nullif(stddev(v) %1$s, 0)".formatted(window)))
                .toArray(String[]::new));
    assertThat(ours.columns()).endsWith("v_max", "v_zscore");
    assertThat(ours.where("v_zscore IS NOT NULL").count()).isGreaterThan(200);
    assertThat(rows(ours)).isEqualTo(rows(sparks));
  }

  @Test
  void aZscoreOfEqualValuesIsNull() throws IOException {
    write("t,v", "1,5", "2,5", "3,5", "9,7");

    CommandRun run =
        applyTo(folder.resolve("small.csv"), "t", "v", "--zscore --range 1", "out.csv");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(lines("out.csv")).containsExactly("t,v,v_zscore", "1,5,", "2,5,", "3,5,", "9,7,");
  }

  @Test
  void distancesAcrossTheRangeOfATypeDoNotOverflow() throws IOException {
    write("t,v", "2147483646,1", "2147483647,2", "-2147483648,4");

    CommandRun run =
        applyTo(folder.resolve("small.csv"), "t", "v", "--op sum --range 5", "out.csv");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(lines("out.csv"))
        .containsExactly("t,v,v_sum", "-2147483648,4,4", "2147483646,1,3", "2147483647,2,3");
  }

  @Test
  void saysThatTimesHaveGapsAndRepeat() {
    CommandRun run = apply("t", "v", "--op mean --radius 3 --partition-by s", "out");
    CommandRun range = apply("t", "v", "--op mean --range 1h --partition-by s", "range");
    CommandRun tidy =
        apply("t", "v", "--op mean --radius 3 --partition-by s --resample 30min", "tidy");
    CommandRun numbers = apply("k", "v", "--op mean --radius 3 --partition-by s", "numbers");

    assertThat(run.errorLines())
        .anyMatch(line -> line.contains("note: t has steps from 1 min to 1 h 31 min"))
        .anyMatch(line -> line.contains("note: t repeats within a series"));
    assertThat(range.errorLines()).singleElement().asString().contains("t repeats");
    assertThat(tidy.err()).isEmpty();
    assertThat(numbers.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--range 1h --radius 3 | cannot be combined with --radius",
        "--range 1h --before 2h | --range cannot be combined with --before",
        "--range -1h | --range -1h is below 0",
        "--before -2h --after 1h | leave no frame",
        "--before 1mo --after 3d | count different things",
        "--range 1h --boundary nearest | --boundary nearest is of no use for frames along the",
        "--range 1h --accuracy fast | --accuracy fast is of no use for frames along the order",
        "--range 1h --engine gpu | --engine gpu is of no use here: --range runs on the CPUs",
        "--range 1h --ordered | --ordered is of no use with --range",
        "--range 1h --fill linear | --fill linear is of no use without --resample",
        "--range 1h --resample 1mo | --resample 1mo is no step",
        "--range 1h --resample 0 | --resample 0 is no step",
        "--range 1h --dedupe most | --dedupe most is unknown; --dedupe takes first, last, mean",
        "--radius 1 --ordered --dedupe first | --ordered is of no use with --dedupe",
        "--range 1 | --range 1 has no unit, but t is a time",
        "--radius 1 --zscore --boundary wrap | --boundary wrap is of no use for zscores",
        "--radius 1 --op mean | mean is asked for twice",
        "--range 1h --sigma 3 | --op mean does not take --sigma",
      })
  void refusesWhatHasNoEffectOrNoMeaning(String options, String message) {
    CommandRun run = apply("t", "v", "--op mean " + options, "out");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
    assertThat(run.errorLines()).singleElement().asString().contains(message);
  }

  @Test
  void needsSomethingToDo() {
    CommandRun run = apply("t", "v", "--partition-by s", "out");
    CommandRun frame = apply("t", "v", "--dedupe last --radius 3", "out");

    assertThat(run.err()).contains("apply needs --op OP");
    assertThat(frame.err()).contains("--radius is of no use without --op");
  }

  private CommandRun apply(String order, String columns, String options, String output) {
    return applyTo(given.resolve("in.parquet"), order, columns, options, output);
  }

  private CommandRun applyTo(
      Path input, String order, String columns, String options, String output) {
    List<String> words = new ArrayList<>(List.of("apply", "--input", input.toString()));
    words.addAll(List.of("--order-by", order, "--column", columns));
    words.addAll(List.of("--output", folder.resolve(output).toString()));
    words.addAll(List.of(options.split(" ")));
    return CommandRun.of(words);
  }

  private void write(String... lines) throws IOException {
    Files.write(folder.resolve("small.csv"), List.of(lines));
  }

  private List<String> lines(String table) throws IOException {
    List<String> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder.resolve(table))) {
      for (Path part :
          files
              .filter(each -> each.getFileName().toString().startsWith("part-"))
              .sorted()
              .toList()) {
        List<String> lines = Files.readAllLines(part);
        all.addAll(all.isEmpty() ? lines : lines.subList(1, lines.size()));
      }
    }
    return all;
  }

  private Dataset<Row> read(String table) {
    return read(folder, table);
  }

  private static Dataset<Row> read(Path place, String table) {
    return session.read().parquet(place.resolve(table).toString());
  }

  /** Returns the rows as texts, which are those of no other bits, sorted. */
  private static List<String> rows(Dataset<Row> table) {
    return table.collectAsList().stream().map(Row::toString).sorted().toList();
  }
}
