/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The description of a function, for {@code DESCRIBE FUNCTION EXTENDED} and the reference page.
 *
 * @param summary what it returns
 * @param note details, or an empty string
 * @param examples queries with their results; {@code _FUNC_} is the function's name
 */
public record FunctionText(String summary, String note, List<Example> examples) {

  /**
   * An example: a query that returns a single value.
   *
   * @param query the query, without a semicolon
   * @param result the result, as Spark's shell prints it
   */
  public record Example(String query, String result) {}

  static final String NULLS = " Null elements are skipped.";
  static final String TAPS = " A result is null where one of its elements is.";

  static FunctionText of(String summary, String note, Example... examples) {
    return new FunctionText(summary, note, List.of(examples));
  }

  static Example example(String arguments, String result) {
    return new Example("SELECT _FUNC_(" + arguments + ")", result);
  }

  /** Returns the calls that {@code function} accepts, one per line. */
  public static List<String> calls(SqlFunction function) {
    return function.signatures().stream()
        .map(
            s ->
                s.stream()
                    .map(p -> ", " + p.name())
                    .collect(Collectors.joining("", "_FUNC_(a", ")")))
        .toList();
  }

  /** Returns the name and meaning of every argument of {@code function}. */
  public static List<String> arguments(SqlFunction function) {
    List<String> lines = new ArrayList<>();
    lines.add("a - " + function.array());
    List<String> boundary = new ArrayList<>();
    Set<String> seen = new LinkedHashSet<>();
    for (List<Parameter> signature : function.signatures()) {
      for (Parameter parameter : signature) {
        if (seen.add(parameter.name())) {
          boolean last = parameter.name().equals(Parameter.BOUNDARY.name());
          boolean text = parameter.kind() == Parameter.ArgumentType.TEXT;
          (last ? boundary : lines)
              .add(
                  "%s - %s%s"
                      .formatted(parameter.name(), parameter.text(), text ? "" : ", a constant"));
        }
      }
    }
    lines.addAll(boundary);
    return lines;
  }

  /** Returns calls and summary, in the form in which Spark shows the usage of a function. */
  public String usage(SqlFunction function) {
    return "%s - %s".formatted(String.join(", ", calls(function)), summary);
  }

  /** Returns the arguments in the form of Spark's extended descriptions. */
  public static String argumentsBlock(SqlFunction function) {
    return arguments(function).stream()
        .collect(Collectors.joining("\n      * ", "\n    Arguments:\n      * ", "\n"));
  }

  /** Returns the examples in the form of Spark's extended descriptions. */
  public String examplesBlock() {
    return examples.stream()
        .map(e -> "      > %s;\n       %s\n".formatted(e.query(), e.result()))
        .collect(Collectors.joining("", "\n    Examples:\n", "  "));
  }

  /** Returns the note in the form of Spark's extended descriptions. */
  public String noteBlock() {
    return note.isEmpty() ? "" : "\n      %s\n  ".formatted(note);
  }
}
