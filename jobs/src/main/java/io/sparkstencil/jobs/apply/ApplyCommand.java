/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.apply.ApplyRequest.Calculation;
import io.sparkstencil.jobs.chart.Fonts;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.SparkCommand;
import io.sparkstencil.jobs.command.SparkRun;
import io.sparkstencil.jobs.command.UsageMessage;
import io.sparkstencil.jobs.files.Destination;
import io.sparkstencil.jobs.files.FileEnding;
import io.sparkstencil.jobs.files.InputFiles;
import io.sparkstencil.jobs.files.InputTable;
import io.sparkstencil.jobs.files.TableFormat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stencil apply}: a stencil over columns of a table, into a new table. */
@Command(
    name = "apply",
    description = "Applies a stencil to columns of a table and writes the table with the results.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class ApplyCommand extends SparkCommand {
  /** Each is 460 pixels high. */
  private static final int MOST_PANELS = 64;

  /**
   * Where results go.
   *
   * @param plot null for none
   * @param report null for none
   */
  private record Outputs(Destination table, Destination plot, Destination report) {}

  /** Makes the job that is asked for, once it is known what there is. */
  private interface JobMaker {
    TableJob job(InputTable input, TableFormat to, Outputs outputs);
  }

  @Mixin private InputOptions inputOptions;

  @Option(
      names = "--order-by",
      paramLabel = "COL",
      description = "The column that orders the rows.")
  private String orderBy;

  @Mixin private TileOptions tileOptions;

  @Option(
      names = "--partition-by",
      split = ",",
      paramLabel = "COL",
      description = "Columns that identify a series or a raster. Default: one of them.")
  private List<String> partitionBy = new ArrayList<>();

  @Option(
      names = "--column",
      required = true,
      split = ",",
      paramLabel = "COL",
      description = "The columns to apply the stencil to.")
  private List<String> columns = new ArrayList<>();

  @Mixin private OperationOptions operationOptions;

  @Mixin private TidyOptions tidyOptions;

  @Option(
      names = "--engine",
      paramLabel = "E",
      defaultValue = Engines.AUTO,
      description = "Engine: auto (default), cpu, gpu or reference.")
  private String engine;

  @Option(
      names = "--ordered",
      description =
          "Declares that the files are in order: nothing is sorted, and a row out of order fails"
              + " the job.")
  private boolean ordered;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "PATH",
      description = "The folder to write to.")
  private String output;

  @Option(
      names = "--output-format",
      paramLabel = "F",
      description = "Output format. Default: the extension of the path, or the input's format.")
  private TableFormat outputFormat;

  @Option(
      names = "--as",
      split = ",",
      paramLabel = "NAME",
      description =
          "Names of the result columns: for each column, one for each op. Default: COLUMN_OP.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      description = "Plot columns and results over the order column.")
  private String plot;

  @Option(
      names = "--plot-series",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "With --partition-by, how many series are drawn, 1 to 64; one panel for each of them and"
              + " each column, and no more than 64. Default: the first 4.")
  private int plotSeries;

  @Option(
      names = "--plot-unit",
      paramLabel = "COL=UNIT",
      description = "The unit of a column, for its axis, such as temp_max=\u00b0C; once for each.")
  private Map<String, String> plotUnits = new LinkedHashMap<>();

  @Option(
      names = "--report",
      paramLabel = "FILE.json",
      description = "Write a report: engine, amounts and times.")
  private String report;

  @Option(
      names = "--overwrite",
      description = "Replace existing output, plot and report once the new ones are complete.")
  private boolean overwrite;

  @Override
  public List<String> places() {
    return Stream.of(output, plot, report).filter(Objects::nonNull).toList();
  }

  @Override
  public List<String> missingOptions() {
    List<String> missing = new ArrayList<>();
    if (!tileOptions.given()) {
      if (orderBy == null) {
        missing.add("--order-by COL (or --tiles COL,COL)");
      }
      if (!operationOptions.given() && tidyOptions.given() == null) {
        missing.add("--op OP (or --dedupe or --resample)");
      }
    }
    return missing;
  }

  @Override
  public void requireOptions() {
    maker();
  }

  /** Checks all options but those that name files, and returns what they ask for. */
  private JobMaker maker() {
    List<String> missing = missingOptions();
    if (!missing.isEmpty()) {
      throw new InvalidStencilException(UsageMessage.needs("apply", missing));
    }
    JobMaker maker = tileOptions.given() ? overTiles() : overSeries();
    requireEndingAndUnits();
    return maker;
  }

  @Override
  public Integer call() {
    JobMaker maker = maker();
    if (outputFormat == null) {
      TableFormat.requireNoOther("--output", output);
    }
    Configuration hadoop = sparkOptions().hadoopConfiguration();
    try (Destination plotFile = Destination.file("--plot", plot, overwrite, hadoop, this::note);
        Destination reportFile =
            Destination.file("--report", report, overwrite, hadoop, this::note);
        Destination table = Destination.table("--output", output, overwrite, hadoop, this::note)) {
      InputFiles files = inputOptions.files(hadoop);
      List<Destination> written =
          Stream.of(table, plotFile, reportFile).filter(Objects::nonNull).toList();
      for (int i = 0; i < written.size(); i++) {
        written.get(i).requireApart("--input", files.paths(), written.subList(0, i));
      }
      InputTable input = inputOptions.table(files);
      TableFormat to =
          outputFormat == null ? TableFormat.ofPath(output).orElse(input.format()) : outputFormat;
      written.forEach(Destination::requireWritable);
      run(maker.job(input, to, new Outputs(table, plotFile, reportFile)));
      String label = "output  ";
      for (Destination each : written) {
        out().println(label + each);
        label = " ".repeat(label.length());
      }
    }
    return ExitCode.DONE;
  }

  /** Checks options for tiles, as far as that is possible without the table. */
  private JobMaker overTiles() {
    TileRequest request = tiles();
    return (input, to, outputs) ->
        new TileJob(request, input, to, outputs.table(), outputs.report());
  }

  /** Checks options for series, as far as that is possible without the table. */
  private JobMaker overSeries() {
    Tidying tidying = tidyOptions.tidying();
    ApplyRequest request = request();
    return (input, to, outputs) -> {
      operationOptions.note().ifPresent(this::note);
      return new ApplyJob(
          request,
          tidying,
          input,
          to,
          outputs.table(),
          outputs.plot(),
          plotSeries,
          plotUnits,
          outputs.report());
    };
  }

  private void run(TableJob job) {
    try (SparkRun spark = sparkOptions().open("stencil apply", InputOptions.SPARK_CONFIGURATION)) {
      RunReport ran = job.run(spark.session(), err());
      ran.print(ran.rows(), out());
    }
  }

  private void requireEndingAndUnits() {
    FileEnding.require("--plot", plot, ".png");
    if (plot == null && !plotUnits.isEmpty()) {
      throw new InvalidStencilException("--plot-unit is of no use without --plot");
    }
    for (String column : plotUnits.keySet()) {
      if (!columns.contains(column)) {
        throw new InvalidStencilException(
            "--plot-unit %s: there is no --column %s; give the unit of one of %s"
                .formatted(column, column, String.join(", ", columns)));
      }
    }
    if (plotSeries < 1) {
      throw new InvalidStencilException(
          "--plot-series %d is below 1; 1 to %d can be drawn".formatted(plotSeries, MOST_PANELS));
    }
    int series = partitionBy.isEmpty() ? 1 : plotSeries;
    long panels = series * columns.stream().distinct().count();
    if (plot != null && panels > MOST_PANELS) {
      throw new InvalidStencilException(
          "--plot-series %d with %d columns makes %d panels; 1 to %d can be drawn"
              .formatted(plotSeries, columns.size(), panels, MOST_PANELS));
    }
    if (plot != null) {
      Fonts.require("--plot");
    }
  }

  /** Returns what is asked for, checked as far as that is possible without the table. */
  private ApplyRequest request() {
    Map<OperationOptions.Operation, Calculation> calculations = operationOptions.calculations();
    Engines.parseName(engine);
    requireEffect(calculations.values());
    requireOwnNames();
    List<ApplyRequest.ResultColumn> results = new ArrayList<>();
    for (String column : columns) {
      calculations.forEach(
          (operation, calculation) ->
              results.add(
                  new ApplyRequest.ResultColumn(
                      column,
                      calculation,
                      names.isEmpty() ? column + "_" + operation : name(results.size()))));
    }
    requireNames(calculations.size());
    return new ApplyRequest(
        orderBy, partitionBy, columns, results, ordered, engine.toLowerCase(Locale.ROOT));
  }

  /** Returns what is asked for of tiles. */
  private TileRequest tiles() {
    List<String> position = tileOptions.position();
    TileRequest.TileProgram program = operationOptions.ofTiles();
    Engines.parseName(engine);
    if (columns.stream().distinct().count() < columns.size()) {
      throw new InvalidStencilException("--column names a column twice; name each once");
    }
    requireNames(1);
    Map<String, String> results = new LinkedHashMap<>();
    for (String column : columns) {
      results.put(column, names.isEmpty() ? column + "_expr" : name(results.size()));
    }
    return new TileRequest(
        position, partitionBy, program, results, engine.toLowerCase(Locale.ROOT));
  }

  private void requireOwnNames() {
    for (String column : columns) {
      if (names.isEmpty() && Collections.frequency(columns, column) > 1) {
        throw new InvalidStencilException(
            "--column names %s more than once; name it once, or name the results with --as"
                .formatted(column));
      }
    }
  }

  private void requireNames(int operations) {
    if (!names.isEmpty() && names.size() != columns.size() * operations) {
      throw new InvalidStencilException(
          "--as has %d names for %d columns and %d ops; give one for each op of each column"
              .formatted(names.size(), columns.size(), operations));
    }
  }

  private String name(int result) {
    return result < names.size() ? names.get(result) : "";
  }

  /** Refuses options that would be without effect. */
  private void requireEffect(Collection<Calculation> calculations) {
    List<String> windows = operationOptions.windows(calculations);
    if (ordered && (!windows.isEmpty() || tidyOptions.given() != null)) {
      throw new InvalidStencilException(
          "--ordered is of no use with %s, for which Spark orders the rows; omit it"
              .formatted(windows.isEmpty() ? tidyOptions.given() : windows.get(0)));
    }
    String named = engine.toLowerCase(Locale.ROOT);
    if ((named.equals(Engines.GPU) || named.equals(Engines.REFERENCE))
        && calculations.stream().allMatch(ApplyRequest.OfWindow.class::isInstance)) {
      throw new InvalidStencilException(
          "--engine %s is of no use here: %s on the CPUs of all executors; omit it"
              .formatted(
                  engine,
                  windows.isEmpty() ? tidyOptions.given() + " runs" : windows.get(0) + " runs"));
    }
  }
}
