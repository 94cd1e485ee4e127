/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.files.RegularFiles;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is solved: a program with numbers for its names, the time of a step, and first cells.
 *
 * @param name of the equation
 * @param program a step, with boundaries and accuracy
 * @param parameters the numbers for the program's names
 * @param constants the numbers that the equation was made with
 * @param dt the time of a step
 * @param shape the cells along each axis
 * @param fields the first cells of fields, as they are written; others begin with 0
 * @param shown the field that pictures show
 */
record Problem(
    String name,
    StencilProgram program,
    Map<String, Double> parameters,
    Map<String, Double> constants,
    double dt,
    List<Long> shape,
    Map<String, String> fields,
    String shown) {
  private static final String FILE_ENDING = ".stencil";
  private static final String TIME_STEP = "dt";
  private static final String AUTO = "auto";

  /** Returns the problem that options describe. */
  static Problem of(ProblemOptions options) {
    List<Long> shape = options.shape();
    Problem problem =
        options.equation().endsWith(FILE_ENDING)
            ? ofFile(options, shape)
            : ofEquation(options, shape, Equation.named(options.equation()));
    Map<String, String> fields = new LinkedHashMap<>(problem.fields());
    options.fields().forEach((field, cells) -> fields.put(problem.fieldNamed(field), cells));
    // A wave that begins with other cells begins at rest, too.
    fields.replaceAll(
        (field, cells) ->
            cells.startsWith(Equation.SAME_AS)
                ? fields.get(cells.substring(Equation.SAME_AS.length()))
                : cells);
    StencilProgram program = problem.program();
    for (String rules : options.boundaries()) {
      program = BoundaryOption.apply(program, rules);
    }
    program = program.withAccuracy(Accuracy.parse(options.accuracy(), Accuracy.ofPrograms()));
    String shown = options.shown() == null ? problem.shown() : options.shown();
    return new Problem(
        problem.name(),
        program,
        problem.parameters(),
        problem.constants(),
        problem.dt(),
        shape,
        Map.copyOf(fields),
        problem.fieldNamed(shown));
  }

  /** Returns whether the first cells of a field are those of a file. */
  static boolean isFile(String cells) {
    return cells.endsWith(".npy") || cells.endsWith(".zarr");
  }

  /**
   * Checks that the first cells of each field that no step updates are given.
   *
   * @throws InvalidStencilException if they are not: they would be 0 for good
   */
  void requireFirstCells() {
    for (String field :
        program.fields().subList(program.updates().size(), program.fields().size())) {
      if (!fields.containsKey(field)) {
        throw new InvalidStencilException(
            "field %s is read and never updated, and no --field gives its cells; add --field %s=CELLS, a file or an expression (--field %s=0 for zeros)"
                .formatted(field, field, field));
      }
    }
  }

  private String fieldNamed(String field) {
    return program.fields().get(program.field(field));
  }

  private static Problem ofEquation(ProblemOptions options, List<Long> shape, Equation equation) {
    Map<String, Double> constants = equation.constants(shape.size(), options.set());
    double dt =
        options.dt().equals(AUTO)
            ? equation.goodStep(shape.size(), constants)
            : number(options.dt());
    StencilProgram program =
        BoundaryOption.apply(equation.program(shape.size(), constants, dt), equation.boundary());
    return new Problem(
        equation.label(),
        program,
        Map.of(),
        constants,
        dt,
        shape,
        equation.fields(shape.size()),
        equation.shown());
  }

  private static Problem ofFile(ProblemOptions options, List<Long> shape) {
    Path file = Path.of(options.equation());
    StencilProgram program = ProgramText.parse(read(file), shape.size());
    Map<String, Double> parameters = new LinkedHashMap<>(options.set());
    boolean named = program.parameters().contains(TIME_STEP);
    if (named && options.dt().equals(AUTO) && !parameters.containsKey(TIME_STEP)) {
      throw new InvalidStencilException(
          "--equation %s has a time step dt, whose longest stable value is not known; give --dt"
              .formatted(file));
    }
    double dt =
        options.dt().equals(AUTO) ? parameters.getOrDefault(TIME_STEP, 1.0) : number(options.dt());
    if (named) {
      parameters.put(TIME_STEP, dt);
    }
    ParameterValues.of(program, parameters); // each name has a number, and no other
    String name = file.getFileName().toString();
    return new Problem(
        name.substring(0, name.length() - FILE_ENDING.length()),
        program,
        Map.copyOf(parameters),
        parameters,
        dt,
        shape,
        Map.of(),
        program.fields().get(0));
  }

  private static String read(Path file) {
    RegularFiles.require("--equation", file);
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new InvalidStencilException("--equation %s cannot be read: %s".formatted(file, e), e);
    }
  }

  private static double number(String dt) {
    try {
      return Double.parseDouble(dt);
    } catch (NumberFormatException e) {
      throw new InvalidStencilException("--dt %s is neither a number nor auto".formatted(dt), e);
    }
  }
}
