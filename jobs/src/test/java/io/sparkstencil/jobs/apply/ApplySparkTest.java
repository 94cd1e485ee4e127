/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.files.Destination;
import io.sparkstencil.jobs.files.InputTable;
import io.sparkstencil.jobs.files.TableFormat;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Stencil;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.apache.hadoop.conf.Configuration;
import org.apache.logging.log4j.LogManager;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command {@code apply}, from its arguments to its files. */
final class ApplySparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  static Stream<Arguments> options() {
    Boundary constant = Boundary.constant(2.5);
    return Stream.of(
        Arguments.of("--op mean --radius 3", Stencil.mean(Frame.radius(3))),
        Arguments.of("--op sum --preceding 5", Stencil.sum(Frame.precedingFollowing(5, 0))),
        Arguments.of(
            "--op min --preceding -2 --following 4 --boundary wrap",
            Stencil.min(Frame.offsets(2, 4)).withBoundary(Boundary.WRAP)),
        Arguments.of(
            "--op max --radius 50 --boundary mirror",
            Stencil.max(Frame.radius(50)).withBoundary(Boundary.MIRROR)),
        Arguments.of(
            "--op count --radius 2 --boundary valid",
            Stencil.count(Frame.radius(2)).withBoundary(Boundary.VALID)),
        Arguments.of(
            "--op weighted --weights 0.25,-0.5,1e-3 --boundary constant:2.5",
            Stencil.weighted(Frame.radius(1), 0.25, -0.5, 1e-3).withBoundary(constant)),
        Arguments.of(
            "--op derivative --order 2 --accuracy-order 4 --spacing 0.5 --boundary valid",
            StandardStencils.derivative(2, 4, 0.5).withBoundary(Boundary.VALID)),
        Arguments.of(
            "--op gaussian --sigma 2.5 --boundary reflect",
            StandardStencils.gaussian(2.5).withBoundary(Boundary.REFLECT)),
        Arguments.of(
            "--op savgol --radius 7 --degree 3 --boundary nearest",
            StandardStencils.savitzkyGolay(7, 3).withBoundary(Boundary.NEAREST)));
  }

  @ParameterizedTest
  @MethodSource("options")
  void csvHoldsTheBitsOfTheScalarComputation(String options, Stencil stencil) throws IOException {
    CommandRun run = weather(options, "out.csv", "--as", "result");

    assertThat(run.errorLines().stream().filter(line -> !line.contains("note:"))).isEmpty();
    assertThat(run.exitCode()).isZero();
    Path csv = joined(folder.resolve("out.csv"));
    assertThat(SeattleWeather.column(csv, "temp_max"))
        .containsExactly(SeattleWeather.column("temp_max"));
    assertThat(SeattleWeather.column(csv, "result"))
        .containsExactly(new ScalarSeries(SeattleWeather.column("temp_max")).apply(stencil));
  }

  @Test
  void appliesToSeveralColumnsWithinKeysAndNamesTheResults() throws IOException {
    CommandRun run =
        apply(
            SeattleWeather.CSV,
            "date",
            "wind,temp_min",
            "--op mean --radius 1 --partition-by weather",
            "out.parquet");

    assertThat(run.exitCode()).as(run.err()).isZero();
    List<Row> rows = read("out.parquet").where("weather = 'snow'").sort("date").collectAsList();
    Double[] wind = rows.stream().map(row -> row.<Double>getAs("wind")).toArray(Double[]::new);
    Double[] means =
        rows.stream().map(row -> row.<Double>getAs("wind_mean")).toArray(Double[]::new);
    assertThat(rows).hasSizeGreaterThan(20);
    assertThat(means).containsExactly(new ScalarSeries(wind).apply(Stencil.mean(Frame.radius(1))));
    assertThat(rows.get(0).schema().fieldNames()).contains("temp_min_mean");
    assertThat(read("out.parquet").count()).isEqualTo(1461);
  }

  @Test
  void reportsWhatRan() throws IOException {
    Path report = folder.resolve("report.json");
    Path plot = folder.resolve("plot.png");
    CommandRun run =
        weather(
            "--op mean --radius 3 --conf spark.sql.adaptive.coalescePartitions.enabled=false",
            "out.parquet",
            "--report",
            report.toString(),
            "--plot",
            plot.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(report.toFile());
    assertThat(json.get("engine").asText()).isIn("cpu", "gpu");
    assertThat(json.get("rows").asLong()).isEqualTo(1461);
    assertThat(json.get("cells").asLong()).isEqualTo(1461);
    assertThat(json.get("partitions").asInt()).isEqualTo(4);
    assertThat(json.get("haloCellsMoved").asLong()).isEqualTo(2 * 3 * 3);
    assertThat(json.get("shuffledBytes").asLong())
        .as("columns of dates and numbers of few digits, packed")
        .isGreaterThan(2 * 1461);
    assertThat(json.get("cellsPerSecond").asDouble()).isPositive();
    double steps = 0;
    for (JsonNode seconds : json.get("secondsByStep")) {
      steps += seconds.asDouble();
    }
    assertThat(json.get("secondsByStep").size()).isGreaterThanOrEqualTo(3);
    assertThat(json.get("seconds").asDouble()).isPositive();
    assertThat(steps).isPositive();
    assertThat(run.out()).contains("engine", "1,461", "results per second", "out.parquet");
    assertThat(ImageIO.read(plot.toFile()).getWidth()).isGreaterThan(1000);
  }

  @Test
  void aPlotAndAReportAreLeftOutWhereTheTableCannotBePutInItsPlace() throws IOException {
    Path csv = write("in.csv", "t,v", "1,1.0", "2,2.0");
    Path plot = folder.resolve("plot.png");
    Path report = folder.resolve("report.json");
    ApplyRequest.ResultColumn mean =
        new ApplyRequest.ResultColumn("v", Stencil.mean(Frame.radius(1)), "m");
    ApplyRequest request = new ApplyRequest("t", List.of(), List.of(mean), false, "auto");
    Configuration hadoop = new Configuration();
    String out = folder.resolve("out").toString();
    try (Destination table = Destination.table("--output", out, false, hadoop, note -> {});
        Destination plotFile =
            Destination.file("--plot", plot.toString(), false, hadoop, note -> {});
        Destination reportFile =
            Destination.file("--report", report.toString(), false, hadoop, note -> {})) {
      Files.createDirectory(folder.resolve("out")); // another job was faster
      TableFormat format = TableFormat.CSV;
      InputTable input = new InputTable(csv.toString(), csv.toString(), format, Map.of());
      ApplyJob job =
          new ApplyJob(
              request, Tidying.NONE, input, format, table, plotFile, 4, Map.of(), reportFile);

      assertThatThrownBy(() -> job.run(SPARK.session(), new PrintWriter(new StringWriter())))
          .isInstanceOf(InvalidStencilException.class);
    }
    assertThat(names()).containsExactly("in.csv", "out");
  }

  @Test
  void theFilesOfAFolderTellItsFormat() throws IOException {
    Files.createDirectory(folder.resolve("days"));
    write("days/_SUCCESS");
    write("days/part-0.csv", "t,v", "1,1.0", "2,2.0");
    write("days/part-1.csv", "t,v", "3,3.0");

    CommandRun run = apply(folder.resolve("days"), "t", "v", "--op mean --radius 1", "out");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(TableFormat.CSV.read(SPARK.session(), folder.resolve("out").toString()).count())
        .isEqualTo(3);
  }

  @Test
  void filesOfAnUnknownFormatAreRefusedWithTheRemedy() throws IOException {
    Path text = write("series", "t,v", "1,1.0");

    CommandRun run = apply(text, "t", "v", "--op mean --radius 1", "out");

    assertUsage(run, "set it with --format parquet, csv, json or orc");
    assertThat(apply(text, "t", "v", "--op mean --radius 1 --format csv", "out").exitCode())
        .isZero();
  }

  @Test
  void orderedInputIsNotShuffled() throws IOException {
    Path report = folder.resolve("report.json");
    CommandRun run =
        weather("--op mean --radius 3 --ordered", "out.csv", "--report", report.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(new ObjectMapper().readTree(report.toFile()).get("shuffledBytes").asLong()).isZero();
  }

  @Test
  void aRowOutOfOrderIsBadDataAndLeavesNoOutput() throws IOException {
    Path csv = write("in.csv", "t,v", "1,1.0", "2,2.0", "5,5.0", "4,4.0", "6,6.0");

    CommandRun run = apply(csv, "t", "v", "--op mean --radius 1 --ordered", "out.csv");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.err()).contains("in.csv").contains("5").contains("4");
    assertThat(names()).containsExactly("in.csv");
  }

  @Test
  void aTextAmongNumbersIsBadDataAndIsNamed() throws IOException {
    Path csv = write("in.csv", "t,v", "1,1.0", "2,about 2", "3,3.0");

    CommandRun run = apply(csv, "t", "v", "--op mean --radius 1", "out.csv");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.err()).contains("column v").contains("\"about 2\"");
  }

  @Test
  void anEmptyFileIsCalledEmpty() throws IOException {
    Path csv = Files.createFile(folder.resolve("in.csv"));

    CommandRun run = apply(csv, "t", "v", "--op mean --radius 1", "out.csv");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(run.err()).contains("in.csv has no columns as csv: its files are empty");
  }

  @Test
  void aCsvRowWithTooManyFieldsIsBadDataAndLeavesNoOutput() throws IOException {
    Path csv = write("in.csv", "t,v", "1,1.0", "2,2.0,9", "3,3.0");

    CommandRun run = apply(csv, "t", "v", "--op mean --radius 1", "out.csv");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.err()).contains("in.csv").contains("2.0");
    assertThat(names()).containsExactly("in.csv");
  }

  @Test
  void aTableWithoutRowsOrValuesIsNoTextTable() throws IOException {
    Path empty = write("empty.csv", "t,v");
    Path nulls = write("nulls.csv", "t,v", "1,", "2,");

    CommandRun none = apply(empty, "t", "v", "--op mean --radius 1", "none.parquet");
    CommandRun unknown = apply(nulls, "t", "v", "--op count --radius 1", "unknown.parquet");

    assertThat(none.exitCode()).as(none.err()).isZero();
    assertThat(none.err()).contains("note: --input " + empty + " has no rows");
    assertThat(read("none.parquet").columns()).containsExactly("t", "v", "v_mean");
    assertThat(read("none.parquet").count()).isZero();
    assertThat(unknown.exitCode()).as(unknown.err()).isZero();
    assertThat(read("unknown.parquet").where("v is null and v_count = 0").count()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.spark.sql.execution.streaming.sinks.FileStreamSink",
        "org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter"
      })
  void theLogIsSilentOnWhatAPatternOrAFailedTaskMakesSparkSay(String logger) {
    assertThat(LogManager.getLogger(logger).isWarnEnabled()).isFalse();
    assertThat(LogManager.getLogger(logger).isErrorEnabled()).isTrue();
  }

  @Test
  void wrongColumnsAreWrongUsage() throws IOException {
    Path csv = write("in.csv", "t,v,word,v_mean", "1,1.0,a,0", "2,2.0,b,0");
    String mean = "--op mean --radius 1";

    assertUsage(apply(csv, "t", "speed", mean, "out.csv"), "speed");
    assertUsage(apply(csv, "time", "v", mean, "out.csv"), "time");
    assertUsage(apply(csv, "t", "v", mean + " --partition-by station", "out.csv"), "station");
    assertUsage(apply(csv, "t", "word", mean, "out.csv"), "column word holds text, such as \"a\"");
    assertUsage(apply(csv, "t", "v", mean, "out.csv"), "v_mean");
    assertThat(names()).containsExactly("in.csv");
  }

  @Test
  void nullsAndValuesBesideNumbersReadBackTheSame() throws IOException {
    Path csv = write("in.csv", "t,v,w", "2012-01-03,,3", "2012-01-01,NaN,1", "2012-01-02,-0.0,2");

    CommandRun run = apply(csv, "t", "v,w", "--op sum --radius 0", "out.csv");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(Files.readAllLines(joined(folder.resolve("out.csv"))))
        .containsExactly(
            "t,v,w,v_sum,w_sum",
            "2012-01-01,NaN,1,NaN,1",
            "2012-01-02,-0.0,2,0.0,2",
            "2012-01-03,,3,,3");
  }

  @Test
  void replacesOutputOnlyWhenAsked() throws IOException {
    assertThat(weather("--op mean --radius 1", "out.parquet").exitCode()).isZero();
    assertThat(weather("--op min --radius 1", "out.parquet").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(read("out.parquet").columns()).contains("temp_max_mean");

    assertThat(weather("--op min --radius 1 --overwrite", "out.parquet").exitCode()).isZero();
    assertThat(read("out.parquet").columns())
        .contains("temp_max_min")
        .doesNotContain("temp_max_mean");
  }

  @ParameterizedTest
  @MethodSource("formats")
  void readsAndWritesEveryFormat(TableFormat format) throws IOException {
    String name = "weather." + format.sparkName();
    assertThat(weather("--op mean --radius 2", name).exitCode()).isZero();

    CommandRun again =
        apply(
            folder.resolve(name),
            "date",
            "temp_max_mean",
            "--op max --radius 0",
            "again." + format.sparkName());

    assertThat(again.exitCode()).as(again.err()).isZero();
    Dataset<Row> table =
        format.read(SPARK.session(), folder.resolve("again." + format.sparkName()).toString());
    assertThat(table.count()).isEqualTo(1461);
    assertThat(table.where("temp_max_mean = temp_max_mean_max").count()).isEqualTo(1461);
  }

  static TableFormat[] formats() {
    return TableFormat.values();
  }

  private CommandRun weather(String options, String output, String... more) {
    return apply(SeattleWeather.CSV, "date", "temp_max", options, output, more);
  }

  private CommandRun apply(
      Path input, String order, String columns, String options, String output, String... more) {
    List<String> arguments = new ArrayList<>(List.of("apply", "--input", input.toString()));
    arguments.addAll(List.of("--order-by", order, "--column", columns));
    arguments.addAll(List.of("--output", folder.resolve(output).toString()));
    arguments.addAll(Arrays.asList(options.split(" ")));
    arguments.addAll(List.of(more));
    return CommandRun.of(arguments);
  }

  private static void assertUsage(CommandRun run, String named) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.err()).contains(named);
  }

  private Path write(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines));
  }

  private Dataset<Row> read(String name) {
    return TableFormat.PARQUET.read(SPARK.session(), folder.resolve(name).toString());
  }

  /** Returns what is in the folder: what was put there, and nothing half-written. */
  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Joins the part files of a CSV table, in the order of their names, into one file. */
  private Path joined(Path table) throws IOException {
    List<Path> parts;
    try (Stream<Path> files = Files.list(table)) {
      parts =
          files.filter(file -> file.getFileName().toString().startsWith("part-")).sorted().toList();
    }
    List<String> lines = new ArrayList<>();
    for (Path part : parts) {
      List<String> all = Files.readAllLines(part);
      lines.addAll(lines.isEmpty() ? all : all.subList(1, all.size()));
    }
    return Files.write(folder.resolve("joined"), lines);
  }
}
