/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.demo;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.apply.RunReport;
import io.sparkstencil.jobs.apply.StepTimer;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.SparkCommand;
import io.sparkstencil.jobs.command.SparkRun;
import io.sparkstencil.jobs.files.Destination;
import io.sparkstencil.jobs.files.TableFormat;
import io.sparkstencil.spark.StencilReport;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stencil demo}: the main job on real data, in seconds. */
@Command(
    name = "demo",
    description =
        "Computes the trend of carbon dioxide at Mauna Loa and its growth: table, Parquet, plot.",
    mixinStandardHelpOptions = true)
public final class DemoCommand extends SparkCommand {
  private static final String DATA = "examples/data/co2-concentration.csv";

  /** Cuts the few rows as a long series would be cut, so that halos are exchanged. */
  private static final Map<String, String> SEVERAL_PARTITIONS =
      Map.of(
          "spark.sql.shuffle.partitions", "4",
          "spark.sql.adaptive.coalescePartitions.enabled", "false");

  private static final String OUTPUT = "--output";

  @Option(
      names = OUTPUT,
      paramLabel = "FOLDER",
      description = "The folder to write to. Default: target/demo in the project.")
  private Path output;

  @Override
  public Integer call() {
    Path home = home();
    Path data = home.resolve(DATA);
    if (!Files.isReadable(data)) {
      throw new InvalidStencilException(
          "%s does not exist; run bin/stencil within the project".formatted(data));
    }
    Path folder = output == null ? home.resolve("target").resolve("demo") : output;
    Configuration hadoop = sparkOptions().hadoopConfiguration();
    // Spark's default file system may be another than this machine's.
    String local = new org.apache.hadoop.fs.Path(folder.toUri()).toString();
    try (Destination table = Destination.table(OUTPUT, local + "/co2.parquet", true, hadoop);
        Destination plot = Destination.file(OUTPUT, folder + "/co2.png", true, hadoop);
        Destination report = Destination.file(OUTPUT, folder + "/report.json", true, hadoop);
        SparkRun spark = sparkOptions().open("stencil demo", SEVERAL_PARTITIONS)) {
      List.of(table, plot, report).forEach(Destination::requireWritable);
      run(spark.session(), data, table, plot, report);
      out().println("written " + table);
      out().println("        " + plot);
      out().println("        " + report);
    }
    return ExitCode.DONE;
  }

  private void run(
      SparkSession session, Path data, Destination table, Destination plot, Destination report) {
    PrintWriter out = out();
    StepTimer timer = new StepTimer();
    Dataset<Row> months =
        timer.step("read", () -> CarbonDioxideDemo.months(session, data.toUri().toString()));
    Dataset<Row> trend = CarbonDioxideDemo.trend().applyTo(months);
    Dataset<Row> growth = CarbonDioxideDemo.growth().applyTo(trend);
    StencilReport ran;
    try (StencilReport listening = StencilReport.listen(session)) {
      ran = listening;
      timer.step(
          "compute and write",
          () -> TableFormat.PARQUET.write(growth, table.temporary().toString()));
    }
    List<Row> rows =
        TableFormat.PARQUET
            .read(session, table.temporary().toString())
            .sort(CarbonDioxideDemo.MONTH)
            .collectAsList();
    timer.step("plot", () -> plot.write(CarbonDioxideDemo.chart(rows)::writePng));
    printDecades(rows, out);
    RunReport told = RunReport.of(ran, rows.size(), timer);
    report.write(told::writeJson);
    List.of(table, plot, report).forEach(Destination::commit);
    told.print(out);
  }

  /** Prints, for each decade, what a reader can check against what is known of it. */
  private static void printDecades(List<Row> rows, PrintWriter out) {
    long absent = rows.stream().filter(row -> row.isNullAt(1)).count();
    out.printf(
        Locale.ROOT,
        "Carbon dioxide at Mauna Loa (Scripps CO2 Program): %d months from %s to %s, %d not measured%n%n",
        rows.size(),
        rows.get(0).get(0).toString().substring(0, 7),
        rows.get(rows.size() - 1).get(0).toString().substring(0, 7),
        absent);
    TreeMap<String, double[]> decades = new TreeMap<>();
    for (Row row : rows) {
      double[] sums =
          decades.computeIfAbsent(
              row.get(0).toString().substring(0, 3) + "0s", key -> new double[4]);
      for (int i = 0; i < 2; i++) {
        if (!row.isNullAt(2 + i)) {
          sums[2 * i] += row.getDouble(2 + i);
          sums[2 * i + 1]++;
        }
      }
    }
    out.println("decade   mean ppm   growth ppm/year");
    decades.forEach(
        (decade, sums) -> {
          if (sums[1] > 0 && sums[3] > 0) {
            out.printf(
                Locale.ROOT, "%-8s %8.1f   %8.2f%n", decade, sums[0] / sums[1], sums[2] / sums[3]);
          }
        });
    out.println();
  }

  private static Path home() {
    String given = System.getProperty("stencil.home", System.getenv("STENCIL_HOME"));
    return Path.of(given == null ? "" : given).toAbsolutePath();
  }
}
