/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.watch.Diverging;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** How a problem is solved, as the command line says it. */
final class RunOptions {
  private static final long DEFAULT_STEPS = 100;
  private static final long DEFAULT_LAST_STEP = 100_000;
  private static final int DEFAULT_EVERY = 100;
  private static final String AUTO = "auto";

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "The steps, or with --until the most steps. Default: 100, with --until 100000.")
  private Long steps;

  @Option(
      names = "--until",
      paramLabel = "CONDITION",
      description =
          "Stop when no cell of the shown field changes by more from one check to the next:"
              + " \"change<1e-6\".")
  private String until;

  @Option(
      names = "--check",
      paramLabel = "N",
      defaultValue = "100",
      description = "The steps between the checks of --until. Default: ${DEFAULT-VALUE}.")
  private long check;

  @Option(
      names = "--diverging",
      paramLabel = "D",
      defaultValue = "stop",
      description =
          "What to do if cells grow without bound or cease to be finite numbers, as they do if steps"
              + " are too long: stop (default), warn or ignore. Cells that are NaN from the beginning"
              + " do not count.")
  private String diverging;

  @Option(
      names = "--largest",
      paramLabel = "X",
      description =
          "The largest cell that has not grown without bound. Default: 1e30, or 1e150 for f64.")
  private Double largest;

  @Option(
      names = "--source",
      paramLabel = "FILE.csv|FORMULA",
      description =
          "What is added to cells after steps: a table of field,x,y,step,value, or a formula in time,"
              + " \"u[64,64] += sin(2*pi*f*t) while t < 0.1\", with --set f=5; repeatable.")
  private List<String> sources = new ArrayList<>();

  @Option(
      names = "--receivers",
      paramLabel = "FILE.csv",
      description = "The cells whose values --samples writes after each step: name,field,x,y.")
  private Path receivers;

  @Option(
      names = "--engine",
      paramLabel = "E",
      defaultValue = Engines.AUTO,
      description = "Engine: auto (default), cpu, gpu or reference.")
  private String engine;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description =
          "The blocks of the grid. Default: as many as make steps fast, one for each core at most.")
  private Integer blocks;

  @Option(
      names = "--steps-per-exchange",
      paramLabel = "T",
      defaultValue = AUTO,
      description = "The steps from one exchange of halos to the next, or auto. Default: auto.")
  private String stepsPerExchange;

  @Option(
      names = "--checkpoint",
      paramLabel = "DIR",
      description =
          "Where the latest state is kept, on a file system that executors share, to go on from.")
  private String checkpoint;

  @Option(
      names = "--every",
      paramLabel = "N",
      description = "The exchanges of halos from one checkpoint to the next. Default: 100.")
  private Integer every;

  @Option(
      names = "--take-over",
      description =
          "Take the folder of --checkpoint from a run that may not have ended; if it has not, it"
              + " fails at its next checkpoint.")
  private boolean takeOver;

  @Option(
      names = "--resume",
      paramLabel = "DIR",
      description =
          "Go on from the latest complete checkpoint of the same equation in DIR; --steps counts"
              + " the steps before it, too.")
  private String resume;

  /** Checks the options that a grid does not check. */
  void check(String samples) {
    if ((receivers == null) != (samples == null)) {
      throw new InvalidStencilException(
          receivers == null
              ? "--samples needs --receivers, the cells whose values it writes"
              : "--receivers needs --samples, the file for their values");
    }
    if (steps() < 0) {
      throw new InvalidStencilException("--steps %d; use at least 0".formatted(steps));
    }
    if (check < 1) {
      throw new InvalidStencilException("--check %d; use at least 1".formatted(check));
    }
    if (every != null && checkpoint == null) {
      throw new InvalidStencilException(
          "--every needs --checkpoint, the folder that checkpoints are written to");
    }
    if (takeOver && checkpoint == null) {
      throw new InvalidStencilException(
          "--take-over needs --checkpoint, the folder that is taken from another run");
    }
    if (every() < 1) {
      throw new InvalidStencilException("--every %d; use at least 1".formatted(every));
    }
    stepsPerExchange();
    diverging();
    if (largest != null && !(largest > 0)) {
      throw new InvalidStencilException("--largest %s; use a number above 0".formatted(largest));
    }
    if (until != null) {
      until();
    }
  }

  Diverging diverging() {
    return Diverging.named(diverging)
        .orElseThrow(
            () ->
                new InvalidStencilException(
                    "--diverging %s; use stop, warn or ignore".formatted(diverging)));
  }

  /** Returns the largest cell that has not grown without bound, if it was said. */
  OptionalDouble largest() {
    return largest == null ? OptionalDouble.empty() : OptionalDouble.of(largest);
  }

  long steps() {
    return steps != null ? steps : until == null ? DEFAULT_STEPS : DEFAULT_LAST_STEP;
  }

  /** Returns when to stop before the last step, or null. */
  Until until() {
    return until == null ? null : Until.parse(until);
  }

  long stepsBetweenChecks() {
    return check;
  }

  /** Returns the folder that checkpoints are written to, or null. */
  String checkpoint() {
    return checkpoint;
  }

  boolean takesOver() {
    return takeOver;
  }

  int every() {
    return every == null ? DEFAULT_EVERY : every;
  }

  /** Returns the folder with the checkpoint to go on from, or null. */
  String resume() {
    return resume;
  }

  /** Returns the tables of sources. */
  List<Path> sourceTables() {
    return sources.stream().filter(text -> !SourceFormula.isFormula(text)).map(Path::of).toList();
  }

  /** Returns the formulas of sources. */
  List<String> sourceFormulas() {
    return sources.stream().filter(SourceFormula::isFormula).toList();
  }

  Path receivers() {
    return receivers;
  }

  String engine() {
    return Engines.parseName(engine);
  }

  OptionalInt blocks() {
    return blocks == null ? OptionalInt.empty() : OptionalInt.of(blocks);
  }

  OptionalInt stepsPerExchange() {
    if (stepsPerExchange.equals(AUTO)) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(Integer.parseInt(stepsPerExchange));
    } catch (NumberFormatException e) {
      throw new InvalidStencilException(
          "--steps-per-exchange %s is neither a number nor auto".formatted(stepsPerExchange), e);
    }
  }
}
