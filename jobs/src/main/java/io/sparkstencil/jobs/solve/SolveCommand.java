/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.PointSource;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.SparkCommand;
import io.sparkstencil.jobs.command.SparkRun;
import io.sparkstencil.jobs.files.Destination;
import io.sparkstencil.jobs.solve.OutputOptions.Places;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
    Set<String> elsewhere =
        runOptions.sourceFormulas().stream()
            .flatMap(text -> SourceFormula.words(text).stream())
            .collect(Collectors.toSet());
    Problem problem = Problem.of(problemOptions, elsewhere, sparkOptions().hadoopConfiguration());
    List<PointSource> sources = sources(problem);
    if (runOptions.resume() == null && problemOptions.rows() == null) {
      problem.requireFirstCells();
    }
    CellOutput.requireShape(outputOptions.output(), problem.shape());
    Configuration hadoop = sparkOptions().hadoopConfiguration();
    PictureStyle style =
        PictureStyle.of(outputOptions.pictures(), problem, outputOptions.draws(), hadoop);
    try (Places places = outputOptions.places(hadoop, this::note)) {
      places.require(read(problem, hadoop));
      if (runOptions.checkpoint() != null) {
        Destination.requireFolder("--checkpoint", runOptions.checkpoint(), hadoop);
      }
      solve(problem, sources, betweenFrames, places, style);
    }
    return ExitCode.DONE;
  }

  private List<PointSource> sources(Problem problem) {
    List<String> axes = problem.program().axes();
    Map<String, Double> numbers = new HashMap<>(problem.constants());
    numbers.putAll(problemOptions.set());
    return Stream.concat(
            runOptions.sourceTables().stream()
                .flatMap(file -> CellTable.sources("--source", file, axes).stream()),
            runOptions.sourceFormulas().stream()
                .map(
                    text ->
                        SourceFormula.of(text, axes, runOptions.steps(), problem.dt(), numbers)))
        .toList();
  }

  private List<Path> read(Problem problem, Configuration hadoop) {
    Stream<java.nio.file.Path> tables =
        Stream.concat(
            runOptions.sourceTables().stream(), Stream.ofNullable(runOptions.receivers()));
    return Stream.concat(
            tables.map(file -> new Path(file.toUri())),
            problem.fields().values().stream()
                .filter(GivenCells::isFile)
                .map(cells -> new Path(FieldPaths.array(cells.text(), hadoop))))
        .toList();
  }

  private void solve(
      Problem problem,
      List<PointSource> sources,
      long betweenFrames,
      Places places,
      PictureStyle style) {
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
                sources,
                outputOptions.overwrites(),
                progress)) {
      Optional<PictureStyle> animation = Optional.of(style).filter(any -> outputOptions.animates());
      SolveReport.SolveOutcome outcome = run.run(betweenFrames, animation);
      progress.end();
      SolveReport report = SolveReport.of(problem, run.grid(), outcome);
      write(problem, run, places, report, style);
      out().println(Picture.title(problem, run.grid()));
      report.print(out());
      run.grid().divergence().ifPresent(found -> err().println("warning: " + found));
      places.all().forEach(each -> out().println("written " + each));
    }
  }

  private void write(
      Problem problem, SolveRun run, Places places, SolveReport report, PictureStyle style) {
    if (places.plot() != null) {
      Picture plot = Picture.plot(problem, run.grid(), style);
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
