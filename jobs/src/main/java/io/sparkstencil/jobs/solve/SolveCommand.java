/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.SparkCommand;
import io.sparkstencil.jobs.command.SparkRun;
import io.sparkstencil.jobs.files.Destination;
import io.sparkstencil.jobs.solve.OutputOptions.Places;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stencil solve}: an equation on a grid over executors. */
@Command(
    name = "solve",
    description = "Solves an equation on a grid that is cut into blocks over executors.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SolveCommand extends SparkCommand {
  @Mixin private ProblemOptions problemOptions;
  @Mixin private RunOptions runOptions;
  @Mixin private OutputOptions outputOptions;

  @Option(
      names = "--convergence",
      description =
          "Instead of an equation: print the errors of heat, wave and advection on ever finer"
              + " grids, and the order in which they fall.")
  private boolean convergence;

  @Override
  public List<String> places() {
    return Stream.concat(outputOptions.named(), Stream.ofNullable(runOptions.checkpoint()))
        .toList();
  }

  @Override
  public Integer call() {
    if (convergence) {
      Convergence.print(out());
      return ExitCode.DONE;
    }
    if (problemOptions.equation() == null) {
      throw new InvalidStencilException(
          "no --equation; give heat, wave, advection, gray-scott, or FILE.stencil");
    }
    runOptions.check(outputOptions.samples());
    long betweenFrames = outputOptions.stepsBetweenFrames(runOptions.steps());
    Problem problem = Problem.of(problemOptions, sparkOptions().hadoopConfiguration());
    if (runOptions.resume() == null) {
      problem.requireFirstCells();
    }
    CellOutput.requireShape(outputOptions.output(), problem.shape());
    Configuration hadoop = sparkOptions().hadoopConfiguration();
    try (Places places = outputOptions.places(hadoop, this::note)) {
      places.require(read(problem, hadoop));
      if (runOptions.checkpoint() != null) {
        Destination.requireFolder("--checkpoint", runOptions.checkpoint(), hadoop);
      }
      solve(problem, betweenFrames, places);
    }
    return ExitCode.DONE;
  }

  private List<Path> read(Problem problem, Configuration hadoop) {
    Stream<java.nio.file.Path> tables =
        Stream.of(runOptions.source(), runOptions.receivers()).filter(Objects::nonNull);
    return Stream.concat(
            tables.map(file -> new Path(file.toUri())),
            problem.fields().values().stream()
                .filter(GivenCells::isFile)
                .map(cells -> new Path(FieldPaths.array(cells.text(), hadoop))))
        .toList();
  }

  private void solve(Problem problem, long betweenFrames, Places places) {
    double cells =
        problem.shape().stream().mapToDouble(Long::doubleValue).reduce(1, (a, b) -> a * b);
    boolean terminal = sparkOptions().onTerminal();
    ProgressLine progress =
        new ProgressLine(err(), terminal ? err() : null, cells, runOptions.steps());
    try (SparkRun spark = sparkOptions().open("stencil solve", Map.of());
        SolveRun run =
            new SolveRun(
                spark.session(),
                problem,
                problemOptions,
                runOptions,
                outputOptions.overwrites(),
                progress)) {
      SolveReport.SolveOutcome outcome = run.run(betweenFrames, outputOptions.animates());
      progress.end();
      SolveReport report = SolveReport.of(problem, run.grid(), outcome);
      write(problem, run, places, report);
      out().println(Picture.title(problem, run.grid()));
      report.print(out());
      run.grid().divergence().ifPresent(found -> err().println("warning: " + found));
      places.all().forEach(each -> out().println("written " + each));
    }
  }

  private void write(Problem problem, SolveRun run, Places places, SolveReport report) {
    if (places.plot() != null) {
      Picture plot = Picture.plot(problem, run.grid());
      places.plot().write(plot::writePng);
    }
    if (places.animation() != null) {
      places.animation().write(file -> Picture.writeGif(run.frames(), file));
    }
    if (places.samples() != null) {
      places
          .samples()
          .write(
              file ->
                  CellTable.writeSamples(
                      file, run.grid().samples(), run.grid().steps(), problem.dt()));
    }
    CellOutput cells = new CellOutput(problem, run.grid(), sparkOptions().hadoopConfiguration());
    if (places.cells() != null) {
      cells.writeShown(places.cells().temporary().toString());
    }
    if (places.dataset() != null) {
      cells.writeDataset(places.dataset().temporary().toString(), outputOptions.zarrVersion());
    }
    report.written("plot", places.plot());
    report.written("animation", places.animation());
    report.written("output", places.cells());
    report.written("dataset", places.dataset());
    report.written("samples", places.samples());
    if (places.report() != null) {
      places.report().write(report::writeJson);
    }
    places.all().forEach(Destination::commit);
  }
}
