/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.tune;

import io.sparkstencil.engine.ProgramTuning;
import io.sparkstencil.engine.ScheduleTuning;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.program.Extent;
import java.util.Locale;
import java.util.OptionalDouble;

/** What {@code tune} prints: a row for each stencil or program that was tuned. */
final class TuningTable {
  static final String OF_WINDOWS =
      "op           cells type accuracy  selected ms  tuned ms    gain  schedule";

  static final String OF_PROGRAMS =
      "type accuracy  built-in ms  tuned ms    gain  G cells/s  kernel";

  private static final double GIGA_PER_MILLI = 1e6;

  private TuningTable() {}

  /** Returns the row of a window. */
  static String row(StencilSpec spec, ScheduleTuning.FoundSchedule outcome) {
    return "%-12s %5d %-4s %-8s"
            .formatted(spec.reduction(), spec.frame().width(), spec.type(), spec.accuracy())
            .toLowerCase(Locale.ROOT)
        + " %12s %9.4f %7s  %s"
            .formatted(
                milliseconds(outcome.selectedMillis()),
                outcome.millis(),
                gain(outcome.selectedMillis(), outcome.millis()),
                outcome.schedule());
  }

  /** Returns the row of a program; times are those of a step. */
  static String row(
      ElementType type, Accuracy accuracy, Extent extent, ProgramTuning.FoundProgram outcome) {
    OptionalDouble before = outcome.builtIn().millisPerStep();
    double millis = outcome.kept().millisPerStep().orElseThrow();
    return "%-4s %-8s".formatted(type, accuracy).toLowerCase(Locale.ROOT)
        + " %12s %9.4f %7s %10.1f  %s"
            .formatted(
                milliseconds(before),
                millis,
                gain(before, millis),
                extent.cells() / (millis * GIGA_PER_MILLI),
                outcome.kept().kernel());
  }

  /** Returns the line of a kernel that was tried. */
  static String line(ProgramTuning.Trial trial) {
    return trial.millisPerStep().isPresent()
        ? "%9.4f ms per step  %s".formatted(trial.millisPerStep().getAsDouble(), trial.kernel())
        : "   cannot be used   %s".formatted(trial.kernel());
  }

  private static String milliseconds(OptionalDouble millis) {
    return millis.isPresent() ? "%.4f".formatted(millis.getAsDouble()) : "-";
  }

  private static String gain(OptionalDouble before, double millis) {
    return before.isPresent()
        ? "%.1f %%".formatted(100 * (before.getAsDouble() / millis - 1))
        : "-";
  }
}
