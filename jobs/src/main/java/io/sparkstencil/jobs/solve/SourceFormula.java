/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.PointSource;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is added to a cell after each step, by a formula in time: {@code u[64,64] += sin(2*pi*f*t)
 * while t < 0.1}. {@code step} counts from 0, {@code t} is the time after the step, {@code dt} the
 * time of a step.
 */
final class SourceFormula {
  private static final Pattern FORMULA =
      Pattern.compile("(?s)\\s*(\\w+)\\s*\\[([^\\]]*)]\\s*\\+=(.+?)(?:\\bwhile\\b(.+))?");

  private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");

  /** A series has a number for each step, on the driver and in the tasks that need it. */
  private static final long MOST_STEPS = 10_000_000;

  private static final List<String> STEP = List.of("step");

  /** The field that a program gives what is added in each step. */
  private static final String ADDED = "added";

  private SourceFormula() {}

  /** Tells whether a text is a formula, and no file. */
  static boolean isFormula(String text) {
    return text.contains("+=");
  }

  /** Returns all words of a formula, of which some may be names of numbers. */
  static Set<String> words(String text) {
    return WORD.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  /**
   * Returns the source of a formula.
   *
   * @param axes the axes of the grid
   * @param steps the most steps of the run
   * @param dt the time of a step
   * @param constants numbers for other names
   * @throws InvalidStencilException if it is wrong
   */
  static PointSource of(
      String text, List<String> axes, long steps, double dt, Map<String, Double> constants) {
    Matcher formula = FORMULA.matcher(text);
    if (!formula.matches()) {
      throw refused(
          text, "it is no formula; write \"u[64,64] += sin(6.28*t) while t < 0.1\"", null);
    }
    long[] cell = cell(text, formula.group(2), axes);
    if (steps > MOST_STEPS) {
      throw refused(
          text,
          "it is a number for each of %d steps, and may be one for at most %d; use fewer --steps"
              .formatted(steps, MOST_STEPS),
          null);
    }
    String value = formula.group(3).strip();
    if (formula.group(4) != null) {
      value = "where(%s, %s, 0)".formatted(formula.group(4).strip(), value);
    }
    double[] series = steps == 0 ? new double[0] : series(text, value, (int) steps, dt, constants);
    int length = series.length;
    while (length > 0 && series[length - 1] == 0) {
      length--;
    }
    return new PointSource(formula.group(1), cell, Arrays.copyOf(series, length));
  }

  private static long[] cell(String text, String position, List<String> axes) {
    String[] words = position.split(",", -1);
    if (words.length != axes.size()) {
      throw refused(
          text,
          "[%s] is no cell of a grid with the axes %s; write a number for each"
              .formatted(position, axes),
          null);
    }
    try {
      return Arrays.stream(words).map(String::strip).mapToLong(Long::parseLong).toArray();
    } catch (NumberFormatException e) {
      throw refused(text, "[%s] has a position that is no whole number".formatted(position), e);
    }
  }

  private static double[] series(
      String text, String value, int steps, double dt, Map<String, Double> constants) {
    requireNumbers(text, value);
    StencilProgram program =
        ProgramText.parse("t = (step + 1)*dt; %s' = %s".formatted(ADDED, value), STEP);
    Map<String, Double> known = new HashMap<>(Map.of("pi", Math.PI));
    known.putAll(constants);
    known.put("dt", dt);
    for (String name : program.parameters()) {
      if (!known.containsKey(name)) {
        throw refused(
            text,
            "nobody knows %s; give it by --set %s=NUMBER, or use t, step, dt and pi"
                .formatted(name, name),
            null);
      }
    }
    known.keySet().retainAll(program.parameters());
    double[] added = new double[steps];
    try (ProgramEngines engines = ProgramEngines.select(Engines.CPU, Map.of())) {
      engines
          .compile(program)
          .run(
              new ProgramArrays(ElementType.F64, Extent.of(steps), List.of(added)),
              ParameterValues.of(program, known),
              1,
              1);
    }
    return added;
  }

  /** Reads a value by itself, so that errors tell places in it and not in a program around it. */
  private static void requireNumbers(String text, String value) {
    StencilProgram program;
    try {
      program = ProgramText.parseValue(ADDED, value, STEP);
    } catch (InvalidStencilException e) {
      throw refused(text, "\"%s\": %s".formatted(value, e.getMessage()), e);
    }
    for (Node node : program.nodes()) {
      if (node instanceof Node.Tap) {
        throw refused(text, "it reads cells; use t, step, dt and numbers", null);
      }
    }
  }

  private static InvalidStencilException refused(String text, String why, Exception cause) {
    return new InvalidStencilException("--source \"%s\": %s".formatted(text, why), cause);
  }
}
