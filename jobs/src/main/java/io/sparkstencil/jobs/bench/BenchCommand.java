/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.bench;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.chart.Fonts;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.SparkCommand;
import io.sparkstencil.jobs.command.SparkRun;
import io.sparkstencil.jobs.files.Destination;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stencil bench}: what this library brings on the Spark at hand, in two minutes. */
@Command(
    name = "bench",
    description =
        "Times SQL windows on your Spark, without and with this library, by each engine: table,"
            + " picture, JSON.",
    mixinStandardHelpOptions = true)
public final class BenchCommand extends SparkCommand {
  private static final String FOLDER = "--folder";

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "2000000",
      description = "Rows of each query, at least 1000. Default: ${DEFAULT-VALUE}.")
  private long rows;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "60",
      description =
          "Seconds for all timed runs together; each has one at least. Default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = FOLDER,
      paramLabel = "FOLDER",
      defaultValue = "bench",
      description = "Where bench.json and bench.png go. Default: ${DEFAULT-VALUE}.")
  private Path folder;

  @Override
  public List<String> places() {
    return List.of(folder.toString());
  }

  @Override
  public Integer call() {
    if (rows < 1000 || rows > 1L << 40) {
      throw new InvalidStencilException("--rows %d; use 1000 to 2^40".formatted(rows));
    }
    if (!(seconds > 0)) {
      throw new InvalidStencilException("--seconds %s; use more than 0".formatted(seconds));
    }
    Fonts.require("bench, which draws a picture,");
    Configuration hadoop = sparkOptions().hadoopConfiguration();
    try (Destination json =
            Destination.file(FOLDER, folder + "/bench.json", true, hadoop, this::note);
        Destination picture =
            Destination.file(FOLDER, folder + "/bench.png", true, hadoop, this::note);
        SparkRun spark = sparkOptions().open("stencil bench", Map.of())) {
      List.of(json, picture).forEach(Destination::requireWritable);
      List<Contender> contenders = Contender.all(sparkOptions().onCluster());
      List<Timing> timings = new BenchRun(spark.session(), rows, seconds, err()).run(contenders);
      BenchReport report =
          new BenchReport(
              rows,
              contenders.stream().map(Contender::name).toList(),
              timings,
              BenchReport.place(spark.session()));
      json.write(report::writeJson);
      picture.write(report.chart()::writePng);
      List.of(json, picture).forEach(Destination::commit);
      report.print(out());
      out().println();
      out().println("written " + json);
      out().println("        " + picture);
    }
    return ExitCode.DONE;
  }
}
