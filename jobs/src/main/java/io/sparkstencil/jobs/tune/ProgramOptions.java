/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.tune;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.command.GridSize;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Which program to tune, on which fields. */
final class ProgramOptions {
  private static final int MOST_SECONDS = 86_400;

  @Option(
      names = "--expression",
      paramLabel = "TEXT",
      description = "A program instead of windows, such as \"u' = u + a*laplacian(u)\".")
  private String expression; // null if not given, as the others

  @Option(
      names = {"--grid", "--extent"},
      paramLabel = "NxM",
      description = "The cells along each axis of the program's fields, as in 4096x4096.")
  private String grid;

  @Option(
      names = "--boundary",
      paramLabel = "RULES",
      description =
          "Rules outside the fields: reflect (default), mirror, nearest, wrap, constant:C, or one"
              + " for each side: 'x=wrap, y.low=constant:1, y.high=nearest'.")
  private String boundary;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds after which no further kernel is tried. Default: 60.")
  private Integer seconds;

  /** Tells whether a program is to be tuned. */
  boolean given() {
    if (expression == null && (grid != null || boundary != null || seconds != null)) {
      throw new InvalidStencilException(
          "%s is for programs; say --expression TEXT, or leave it out to tune windows"
              .formatted(grid != null ? "--grid" : boundary != null ? "--boundary" : "--seconds"));
    }
    return expression != null;
  }

  /** Returns the extent of the fields. */
  Extent extent() {
    if (grid == null) {
      throw new InvalidStencilException(
          "--expression needs --grid NxM, the cells along each axis of the program's fields, as in --grid 4096x4096");
    }
    return new Extent(GridSize.parseInts(grid));
  }

  /** Returns the program under an accuracy. */
  StencilProgram program(Accuracy accuracy) {
    StencilProgram program = ProgramText.parse(expression, extent().dimensions());
    if (boundary != null) {
      program = BoundaryText.apply(program, boundary);
    }
    return program.withAccuracy(accuracy);
  }

  /** Checks that programs compute with a type. */
  static void requireFloating(ElementType type) {
    if (!type.isFloating()) {
      throw new InvalidStencilException(
          "--type %s is no floating-point type; use f32 or f64 for programs"
              .formatted(type.toString().toLowerCase(Locale.ROOT)));
    }
  }

  /** Returns the time after which no further kernel is tried. */
  int seconds() {
    return seconds == null ? 60 : TuneCommand.inRange("--seconds", seconds, 1, MOST_SECONDS);
  }
}
