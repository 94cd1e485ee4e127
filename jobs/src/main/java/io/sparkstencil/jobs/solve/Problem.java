/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.command.TimedParameters;
import io.sparkstencil.jobs.files.RegularFiles;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.cells.FieldLabels;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * What is solved: a program with numbers for its names, the time of a step, and first cells.
 *
 * @param name of the equation
 * @param program a step, with boundaries and accuracy
 * @param parameters the numbers for the program's names
 * @param constants the numbers that the equation was made with
 * @param dt the time of a step
 * @param shape the cells along each axis
 * @param fields the first cells of fields; others begin with 0
 * @param shown the field that pictures show
 */
record Problem(
    String name,
    StencilProgram program,
    Map<String, Double> parameters,
    Map<String, Double> constants,
    double dt,
    List<Long> shape,
    Map<String, GivenCells> fields,
    String shown) {
  private static final List<Long> DEFAULT_SHAPE = List.of(256L, 256L);
  private static final String FILE_ENDING = ".stencil";
  private static final String TIME_STEP = "dt";
  private static final String AUTO = "auto";
  private static final GivenCells ZERO = new GivenCells("0", GivenCells.CellNotation.EXPRESSION);

  /**
   * Returns the problem that options describe.
   *
   * @param elsewhere names that other options use, so that they need not be those of the equation
   * @param hadoop the settings of file systems
   */
  static Problem of(ProblemOptions options, Set<String> elsewhere, Configuration hadoop) {
    List<Long> shape = shape(options, hadoop);
    Problem problem =
        options.equation().endsWith(FILE_ENDING)
            ? ofFile(options, shape, elsewhere)
            : ofEquation(options, shape, elsewhere, Equation.named(options.equation()));
    StencilProgram program = problem.program();
    for (String rules : options.boundaries()) {
      program = BoundaryOption.apply(program, rules);
    }
    program = program.withAccuracy(Accuracy.parse(options.accuracy()));
    String shown = options.shown() == null ? problem.shown() : options.shown();
    return new Problem(
        problem.name(),
        program,
        problem.parameters(),
        problem.constants(),
        problem.dt(),
        shape,
        problem.firstCells(options, hadoop),
        problem.fieldNamed(shown));
  }

  private static List<Long> shape(ProblemOptions options, Configuration hadoop) {
    return options
        .shape()
        .or(
            () ->
                options.fields().values().stream()
                    .filter(text -> NamedShape.named(text).isEmpty() && FieldPaths.isPath(text))
                    .findFirst()
                    .map(path -> shapeOf(path, hadoop)))
        .orElse(DEFAULT_SHAPE);
  }

  private static List<Long> shapeOf(String path, Configuration hadoop) {
    try (FieldReader reader = FieldPaths.open(path, hadoop)) {
      return reader.shape();
    }
  }

  private Map<String, GivenCells> firstCells(ProblemOptions options, Configuration hadoop) {
    Map<String, GivenCells> given = new LinkedHashMap<>(fields);
    options
        .fields()
        .forEach(
            (field, text) ->
                given.put(
                    fieldNamed(field),
                    GivenCells.of(text, shape, path -> FieldPaths.exists(path, hadoop))));
    for (String field : options.raw()) {
      String named = fieldNamed(field);
      given.put(named, given.getOrDefault(named, ZERO).raw(named));
    }
    // A wave that begins with other cells begins at rest, too.
    given.replaceAll(
        (field, cells) ->
            cells.text().startsWith(Equation.SAME_AS)
                ? given.get(cells.text().substring(Equation.SAME_AS.length()))
                : cells);
    return Map.copyOf(given);
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

  /** Returns what files say of the fields whose first cells they have. */
  Map<String, FieldLabels> labels(Configuration hadoop) {
    Map<String, FieldLabels> files = new LinkedHashMap<>();
    for (String field : program.fields()) {
      GivenCells cells = fields.get(field);
      if (cells != null && cells.isFile()) {
        files.put(field, FieldPaths.labels(cells.text(), cells.isRaw(), hadoop));
      }
    }
    return files;
  }

  /** Returns the axes of the first file that names them, or those of the program. */
  FieldLabels axes(Map<String, FieldLabels> files) {
    return files.values().stream()
        .filter(labels -> isComplete(labels.dimensionNames()))
        .findFirst()
        .orElse(FieldLabels.ofAxes(program.axes()));
  }

  private boolean isComplete(List<String> names) {
    return names.size() == shape.size()
        && names.stream().distinct().count() == names.size()
        && names.stream().noneMatch(String::isEmpty);
  }

  private String fieldNamed(String field) {
    return program.fields().get(program.field(field));
  }

  private static Problem ofEquation(
      ProblemOptions options, List<Long> shape, Set<String> elsewhere, Equation equation) {
    Map<String, Double> set = new LinkedHashMap<>(options.set());
    Set<String> own = equation.constants(shape.size(), Map.of()).keySet();
    set.keySet().removeIf(name -> elsewhere.contains(name) && !own.contains(name));
    Map<String, Double> constants = equation.constants(shape.size(), set);
    VaryingAxes axes = varyingAxes(options, shape, equation, constants);
    double dt =
        options.dt().equals(AUTO) ? equation.goodStep(axes, constants) : number(options.dt());
    StencilProgram program =
        BoundaryOption.apply(equation.program(axes, constants, dt), equation.boundary());
    return new Problem(
        equation.label(),
        program,
        Map.of(),
        constants,
        dt,
        shape,
        written(equation.fields(shape.size()), shape),
        equation.shown());
  }

  /** Which axes matter follows from the boundaries, which any step has. */
  private static VaryingAxes varyingAxes(
      ProblemOptions options, List<Long> shape, Equation equation, Map<String, Double> constants) {
    VaryingAxes all = VaryingAxes.all(shape.size());
    StencilProgram any =
        BoundaryOption.apply(
            equation.program(all, constants, equation.goodStep(all, constants)),
            equation.boundary());
    for (String rules : options.boundaries()) {
      any = BoundaryOption.apply(any, rules);
    }
    return VaryingAxes.of(shape, any);
  }

  /**
   * Cells of an equation are written as its user would write them, or are those of another field.
   */
  private static Map<String, GivenCells> written(Map<String, String> cells, List<Long> shape) {
    Map<String, GivenCells> fields = new LinkedHashMap<>();
    cells.forEach(
        (field, text) ->
            fields.put(
                field,
                text.startsWith(Equation.SAME_AS)
                    ? new GivenCells(text, GivenCells.CellNotation.EXPRESSION)
                    : GivenCells.of(text, shape, path -> false)));
    return fields;
  }

  private static Problem ofFile(ProblemOptions options, List<Long> shape, Set<String> elsewhere) {
    Path file = Path.of(options.equation());
    StencilProgram program = ProgramText.parse(RegularFiles.text("--equation", file), shape.size());
    Map<String, Double> parameters = new LinkedHashMap<>(options.set());
    parameters
        .keySet()
        .removeIf(name -> elsewhere.contains(name) && !program.parameters().contains(name));
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
    TimedParameters.require(program, parameters);
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

  private static double number(String dt) {
    try {
      return Double.parseDouble(dt);
    } catch (NumberFormatException e) {
      throw new InvalidStencilException("--dt %s is neither a number nor auto".formatted(dt), e);
    }
  }
}
