/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.draw;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.jobs.chart.FieldAxes;
import io.sparkstencil.jobs.chart.FieldChart;
import io.sparkstencil.jobs.chart.FieldLook;
import io.sparkstencil.jobs.chart.FieldMap;
import io.sparkstencil.jobs.chart.Fonts;
import io.sparkstencil.jobs.chart.PictureOptions;
import io.sparkstencil.jobs.command.CellRate;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.FloatingTypes;
import io.sparkstencil.jobs.command.GridSize;
import io.sparkstencil.jobs.command.SparkCommand;
import io.sparkstencil.jobs.files.Destination;
import io.sparkstencil.jobs.files.FileEnding;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.cells.FieldLabels;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stencil draw}: a program on a grid, from its formula to a picture. */
@Command(
    name = "draw",
    description = "Runs a program on a grid of two axes and draws a field, without Spark.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class DrawCommand extends SparkCommand {
  @Option(
      names = "--expression",
      required = true,
      paramLabel = "TEXT",
      description = "What a step computes, such as \"u' = u + a*laplacian(u)\".")
  private String expression;

  @Option(
      names = "--start",
      paramLabel = "TEXT",
      description =
          "The cells before the first step, by their position: \"where(x < 10, 1, 0)\", or"
              + " \"u' = ...; v' = ...\" for several fields. Updated fields that are left out are 0.")
  private String start;

  @Option(
      names = "--cells",
      paramLabel = "NAME=PATH",
      description =
          "The cells of a field before the first step, of a file: FILE.npy, DIR.zarr, FILE.tif, or an array in"
              + " a group, DIR.zarr/NAME or FILE.nc/NAME; a slice, such as [3,:,:], behind it; once for each field.")
  private Map<String, String> files = new LinkedHashMap<>();

  @Option(
      names = "--raw",
      paramLabel = "NAME",
      description =
          "A field whose file is read as its numbers are stored: packing is not undone, and missing"
              + " values stay the numbers that stand for them; repeatable.")
  private List<String> raw = new ArrayList<>();

  @Option(
      names = {"--grid", "--extent"},
      paramLabel = "NxM",
      description =
          "The cells along both axes, at most 2147483639 in all. Default: those of the first file,"
              + " or 256x256.")
  private String grid;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "1",
      description = "How often the program is applied, 0 or more. Default: ${DEFAULT-VALUE}.")
  private int steps;

  @Option(
      names = "--parameter",
      paramLabel = "NAME=X",
      description = "The number for a name in the expression; once for each name.")
  private Map<String, Double> parameters = new LinkedHashMap<>();

  @Option(
      names = "--boundary",
      paramLabel = "RULES",
      description =
          "Rules outside the grid: reflect (default), mirror, nearest, wrap, constant:C, or one for"
              + " each side: 'x=wrap, y.low=constant:1, y.high=nearest'.")
  private String boundary;

  @Option(
      names = "--accuracy",
      paramLabel = "A",
      defaultValue = "exact",
      description = "exact (default), fma or fast.")
  private String accuracy;

  @Option(
      names = "--type",
      paramLabel = "T",
      defaultValue = "f64",
      converter = FloatingTypes.class,
      completionCandidates = FloatingTypes.class,
      description = "The type of cells: f32 or f64. Default: ${DEFAULT-VALUE}.")
  private ElementType type;

  @Option(
      names = "--field",
      paramLabel = "NAME",
      description = "The field to draw. Default: the first one that is updated.")
  private String field;

  @Option(
      names = "--engine",
      paramLabel = "E",
      defaultValue = Engines.AUTO,
      description = "Engine: auto (default), cpu, gpu or reference.")
  private String engine;

  @Option(names = "--plot", paramLabel = "FILE.png", description = "The picture.")
  private String plot;

  @Option(
      names = "--output",
      paramLabel = "FILE.npy|DIR.zarr|FILE.tif",
      description = "The cells of the field after the last step.")
  private String output;

  @Mixin private PictureOptions pictureOptions;

  @Option(names = "--overwrite", description = "Replace existing files.")
  private boolean overwrite;

  @Override
  public Integer call() {
    FieldLook look = pictureOptions.look();
    requireFiles();
    StencilProgram program = program();
    files.keySet().forEach(program::field); // each must be one of the program
    FieldFiles cellsOfFiles = new FieldFiles(files, raw, sparkOptions().hadoopConfiguration());
    List<Integer> extent =
        grid == null ? cellsOfFiles.extent().orElse(List.of(256, 256)) : GridSize.parseInts(grid);
    Map<String, Object> first = cellsOfFiles.read(type, extent(extent));
    FieldFiles.missing(first)
        .forEach(
            (name, cells) ->
                note(
                    "field %s begins with %,d cells that are NaN, and so may be what is computed from them"
                        .formatted(name, cells)));
    LocalGrid run = new LocalGrid(program, start, first, type, extent(extent), steps, parameters);
    String drawn = field == null ? run.program().fields().get(0) : field;
    int index = run.program().field(drawn);
    Configuration hadoop = sparkOptions().hadoopConfiguration();
    try (Destination picture = Destination.file("--plot", plot, overwrite, hadoop, this::note);
        Destination file = output(hadoop)) {
      requireWritable(picture, file);
      LocalGrid.GridOutcome outcome =
          run.on(Engines.parseName(engine), sparkOptions().engineOptions(null));
      double[] cells = outcome.cells(index);
      if (picture != null) {
        FieldChart chart = chart(run, cellsOfFiles, drawn, cells, look);
        picture.write(chart::writePng);
      }
      if (file != null) {
        write(file, run.extent(), outcome.arrays().arrays().get(index), cellsOfFiles.labels(drawn));
      }
      Stream.of(picture, file).filter(Objects::nonNull).forEach(Destination::commit);
      out().println("engine  %s: %s".formatted(outcome.engine(), outcome.why()));
      cellsOfFiles
          .decodings()
          .forEach((name, words) -> out().println("decoded %s: %s".formatted(name, words)));
      outcome.measured().ifPresent(kernel -> out().println("kernel  " + kernel));
      out().println("time    " + time(extent, outcome.seconds()));
      out().println("cells   " + range(cells));
      if (picture != null) {
        out().println("plot    " + picture);
      }
      if (file != null) {
        out().println("output  " + file);
      }
    }
    return ExitCode.DONE;
  }

  private void requireFiles() {
    if (plot == null && output == null) {
      throw new InvalidStencilException(
          "nothing is to be written; give --plot FILE.png, or --output FILE for the cells");
    }
    FileEnding.require("--plot", plot, ".png");
    FileEnding.require("--output", output, ".npy", ".zarr", ".tif", ".tiff");
    if (plot != null) {
      Fonts.require("--plot");
    }
  }

  private Destination output(Configuration hadoop) {
    return output != null && output.toLowerCase(Locale.ROOT).endsWith(".zarr")
        ? Destination.table("--output", output, overwrite, hadoop, this::note)
        : Destination.file("--output", output, overwrite, hadoop, this::note);
  }

  private void requireWritable(Destination picture, Destination file) {
    List<Path> read =
        files.values().stream()
            .map(path -> new Path(FieldPaths.array(path, sparkOptions().hadoopConfiguration())))
            .toList();
    List<Destination> before = new ArrayList<>();
    for (Destination each : Stream.of(picture, file).filter(Objects::nonNull).toList()) {
      each.requireApart("what is read,", read, before);
      each.requireWritable();
      before.add(each);
    }
  }

  private FieldChart chart(
      LocalGrid run, FieldFiles cellsOfFiles, String drawn, double[] cells, FieldLook look) {
    FieldLabels labels = cellsOfFiles.labels(drawn);
    List<Long> shape = run.extent().sizes().stream().map(Integer::longValue).toList();
    FieldAxes axes = new FieldAxes(labels, run.program().axes(), shape);
    FieldMap map =
        new FieldMap(
            "", axes.axis(0), axes.axis(1), run.extent().size(0), run.extent().size(1), cells);
    String title = "%s after %d %s".formatted(drawn, steps, steps == 1 ? "step" : "steps");
    boolean asRead = steps == 0 && files.containsKey(drawn);
    String quantity = asRead ? FieldAxes.quantity(labels.attributes(), drawn) : drawn;
    return FieldChart.of(
        pictureOptions.title(title),
        pictureOptions.quantity().orElse(quantity),
        List.of(axes.drawn(map, 0)),
        look);
  }

  private void write(Destination file, Extent all, Object cells, FieldLabels labels) {
    Configuration hadoop = sparkOptions().hadoopConfiguration();
    List<Long> shape = all.sizes().stream().map(Integer::longValue).toList();
    String path = file.temporary().toString();
    FieldWriter writer = FieldPaths.create(path, type, shape, all, labels.attributes(), hadoop);
    try {
      writer.write(Box.whole(all), cells, hadoop);
      writer.commit(hadoop);
    } catch (RuntimeException e) {
      writer.abort(hadoop);
      throw e;
    }
  }

  private static String range(double[] cells) {
    DoubleSummaryStatistics numbers =
        Arrays.stream(cells).filter(Double::isFinite).summaryStatistics();
    long others = cells.length - numbers.getCount();
    String finite =
        numbers.getCount() == 0
            ? "no finite number"
            : "%s to %s".formatted(numbers.getMin(), numbers.getMax());
    return others == 0 ? finite : "%s; %d are NaN or infinite".formatted(finite, others);
  }

  private String time(List<Integer> extent, double seconds) {
    double perSecond = (double) extent.get(0) * extent.get(1) * steps / seconds;
    return String.format(
        Locale.ROOT,
        "%.3g s for %d %s of %d x %d cells, %s per second",
        seconds,
        steps,
        steps == 1 ? "step" : "steps",
        extent.get(0),
        extent.get(1),
        CellRate.text(perSecond));
  }

  private StencilProgram program() {
    StencilProgram program = ProgramText.parse(expression, 2);
    if (boundary != null) {
      program = BoundaryText.apply(program, boundary);
    }
    return program.withAccuracy(Accuracy.parse(accuracy));
  }

  private Extent extent(List<Integer> cells) {
    if (cells.size() != 2) {
      throw new InvalidStencilException(
          grid == null
              ? "a field of %d axes is no picture; give a file of two axes".formatted(cells.size())
              : "--grid %s has %d numbers; give the cells along both axes, as in --grid 128x192"
                  .formatted(grid, cells.size()));
    }
    return new Extent(cells);
  }
}
