/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.demo;

import static org.apache.spark.sql.functions.avg;
import static org.apache.spark.sql.functions.expr;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.apply.RunReport;
import io.sparkstencil.jobs.chart.Fonts;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.SparkCommand;
import io.sparkstencil.jobs.command.SparkRun;
import io.sparkstencil.jobs.files.Destination;
import io.sparkstencil.jobs.files.TableFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        "Computes the trend of carbon dioxide at Mauna Loa and its growth: table, Parquet, plot;"
            + " and runs a reaction on a grid: animation.",
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
    Fonts.require("the demo, which draws a plot and an animation,");
    Path folder = output == null ? home.resolve("target").resolve("demo") : output;
    Configuration hadoop = sparkOptions().hadoopConfiguration();
    // Spark's default file system may be another than this machine's.
    String local = new org.apache.hadoop.fs.Path(folder.toUri()).toString();
    try (Destination table =
            Destination.table(OUTPUT, local + "/co2.parquet", true, hadoop, this::note);
        Destination plot = Destination.file(OUTPUT, folder + "/co2.png", true, hadoop, this::note);
        Destination spots =
            Destination.file(OUTPUT, folder + "/spots.gif", true, hadoop, this::note);
        Destination report =
            Destination.file(OUTPUT, folder + "/report.json", true, hadoop, this::note);
        SparkRun spark = sparkOptions().open("stencil demo", SEVERAL_PARTITIONS)) {
      List.of(table, plot, spots, report).forEach(Destination::requireWritable);
      run(spark.session(), data, table, plot, report);
      out().println();
      spots.write(file -> SpotsDemo.animate(spark.session(), file, out()));
      spots.commit();
      out().println("written " + table);
      out().println("        " + plot);
      out().println("        " + spots);
      out().println("        " + report);
    }
    return ExitCode.DONE;
  }

  private void run(
      SparkSession session, Path data, Destination table, Destination plot, Destination report) {
    RunReport ran = new RunReport();
    Dataset<Row> months =
        ran.step("read", () -> CarbonDioxideDemo.months(session, data.toUri().toString()));
    Dataset<Row> trend = CarbonDioxideDemo.trend().applyTo(months);
    Dataset<Row> growth = CarbonDioxideDemo.growth().applyTo(trend);
    String written = table.temporary().toString();
    ran.compute(session, () -> TableFormat.PARQUET.write(growth, written));
    Dataset<Row> results = TableFormat.PARQUET.read(session, written);
    List<Row> rows = results.sort(CarbonDioxideDemo.MONTH).collectAsList();
    ran.step("plot", () -> plot.write(CarbonDioxideDemo.chart(rows)::writePng));
    printMonths(rows);
    printDecades(results);
    report.write(file -> ran.writeJson(rows.size(), file));
    List.of(table, plot, report).forEach(Destination::commit);
    ran.print(rows.size(), out());
  }

  private void printMonths(List<Row> rows) {
    out()
        .printf(
            "Carbon dioxide at Mauna Loa (Scripps CO2 Program): %d months from %s to %s, %d not"
                + " measured%n%n",
            rows.size(),
            rows.get(0).get(0).toString().substring(0, 7),
            rows.get(rows.size() - 1).get(0).toString().substring(0, 7),
            rows.stream().filter(row -> row.isNullAt(1)).count());
  }

  /** Prints, for each decade, what a reader can check against what is known of it. */
  private void printDecades(Dataset<Row> results) {
    Dataset<Row> decades =
        results
            .groupBy(expr("substring(month, 1, 3) || '0s'").as("decade"))
            .agg(avg(CarbonDioxideDemo.TREND).as("mean"), avg(CarbonDioxideDemo.GROWTH))
            .na()
            .drop()
            .sort("decade");
    out().println("decade   mean ppm   growth ppm/year");
    for (Row row : decades.collectAsList()) {
      out()
          .printf(
              Locale.ROOT,
              "%-8s %8.1f   %8.2f%n",
              row.getString(0),
              row.getDouble(1),
              row.getDouble(2));
    }
    out().println();
  }

  private static Path home() {
    String given = System.getProperty("stencil.home", System.getenv("STENCIL_HOME"));
    return Path.of(given == null ? "" : given).toAbsolutePath();
  }
}
