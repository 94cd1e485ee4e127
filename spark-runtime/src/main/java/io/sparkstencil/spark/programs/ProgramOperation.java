/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.programs;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.PresentCells;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.spark.conf.StencilConf;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A program as a function of arrays: it reads the old cells of the fields that the arrays are, and
 * the new cells of those that it updates are the results. Its other fields hold what one stage
 * leaves to the next. The program of one array reads one field only.
 */
public final class ProgramOperation implements Serializable {
  private static final long serialVersionUID = 1L;

  private final StencilProgram program;
  private final List<String> arrays;
  private final int steps;
  private final Map<String, Double> parameters;
  private final PresentCells
      present; // null where a result is missing that depends on missing cells

  /**
   * Creates the operation.
   *
   * @param program the program
   * @param steps how many times it is applied, at least 1
   * @param parameters a value for each parameter
   * @throws InvalidStencilException if the program is no function of one array, or a value is
   *     missing
   */
  public ProgramOperation(StencilProgram program, int steps, Map<String, Double> parameters) {
    this(program, steps, parameters, List.of(onlyField(program)));
  }

  /**
   * Creates the operation of a filter that leaves out missing cells.
   *
   * @param program the filter with its boundary
   */
  public ProgramOperation(StencilProgram program, PresentCells present) {
    this(program, 1, Map.of(), List.of(onlyField(program)), present);
  }

  /**
   * Creates the operation over several arrays.
   *
   * @param arrays the names of the fields that the arrays are; the program updates some of them,
   *     whose new cells are the results
   * @throws InvalidStencilException if the program reads the old cells of another field, has no use
   *     for one of these or updates none, or a value is missing
   */
  public ProgramOperation(
      StencilProgram program, int steps, Map<String, Double> parameters, List<String> arrays) {
    this(program, steps, parameters, arrays, null);
  }

  private ProgramOperation(
      StencilProgram program,
      int steps,
      Map<String, Double> parameters,
      List<String> arrays,
      PresentCells present) {
    if (steps < 1) {
      throw new InvalidStencilException("%d steps; use at least 1".formatted(steps));
    }
    this.program = program;
    this.steps = steps;
    this.parameters = Map.copyOf(parameters);
    this.arrays = List.copyOf(arrays);
    this.present = present;
    requireArrays();
    ParameterValues.of(program, parameters);
  }

  private void requireArrays() {
    for (String array : arrays) {
      if (program.parameters().contains(array)) {
        throw new InvalidStencilException(
            "%s is one of the arrays %s; write its cell as %s%s"
                .formatted(array, arrays, array, Collections.nCopies(program.dimensions(), 0)));
      }
      if (!program.fields().contains(array)) {
        throw new InvalidStencilException(
            "the program neither reads nor updates %s; it has the fields %s"
                .formatted(array, program.fields()));
      }
    }
    for (String field : read(program)) {
      if (!arrays.contains(field)) {
        throw new InvalidStencilException(
            "the program reads %s, which is not among the arrays %s".formatted(field, arrays));
      }
    }
    if (results().isEmpty()) {
      throw new InvalidStencilException(
          "the program updates none of the arrays %s; write %s' = ..."
              .formatted(arrays, arrays.get(0)));
    }
  }

  /** Returns the names of the fields whose cells before a step a program reads. */
  private static List<String> read(StencilProgram program) {
    TreeSet<Integer> read = new TreeSet<>();
    for (Node node : program.nodes()) {
      if (node instanceof Node.Tap tap && !tap.updated()) {
        read.add(tap.field());
      }
    }
    return read.stream().map(program.fields()::get).toList();
  }

  private static String onlyField(StencilProgram program) {
    List<String> read = read(program);
    if (read.size() != 1 || !program.updates(program.field(read.get(0)))) {
      throw new InvalidStencilException(
          read.size() == 1
              ? "the program reads %s and never updates it; write %s' = ..."
                  .formatted(read.get(0), read.get(0))
              : "the program reads the fields %s, but there is one array; read one field"
                  .formatted(read));
    }
    return read.get(0);
  }

  /** Returns the program. */
  public StencilProgram program() {
    return program;
  }

  /** Returns how many times the program is applied. */
  public int steps() {
    return steps;
  }

  /** Returns the names of the fields that the arrays are. */
  public List<String> arrays() {
    return arrays;
  }

  /** Returns which of the arrays are updated, by their indices. */
  public List<Integer> results() {
    return IntStream.range(0, arrays.size())
        .filter(array -> program.updates(program.field(arrays.get(array))))
        .boxed()
        .toList();
  }

  /**
   * Returns how missing cells are left out; nothing where results that depend on them are missing.
   */
  Optional<PresentCells> present() {
    return Optional.ofNullable(present);
  }

  /** Returns the values of the parameters. */
  Map<String, Double> parameters() {
    return parameters;
  }

  /**
   * Returns what runs the operation in the calling thread, on the engines of this process.
   *
   * @param conf options as the query sees them
   */
  public ProgramRunner runner(StencilConf conf) {
    return new ProgramRunner(this, conf, false);
  }

  /**
   * Returns what runs the operation in the calling thread, on the CPU: where constants are folded,
   * say.
   */
  public ProgramRunner localRunner(StencilConf conf) {
    return new ProgramRunner(this, conf, true);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ProgramOperation that
        && program.equals(that.program)
        && steps == that.steps
        && parameters.equals(that.parameters)
        && arrays.equals(that.arrays)
        && Objects.equals(present, that.present);
  }

  @Override
  public int hashCode() {
    return Objects.hash(program, steps, parameters, arrays, present);
  }

  /** Returns the program, the steps, the boundary and the accuracy in words. */
  @Override
  public String toString() {
    return "%s, %s%d %s, %s, %s"
        .formatted(
            program,
            parameters.isEmpty() ? "" : new TreeMap<>(parameters) + ", ",
            steps,
            steps == 1 ? "step" : "steps",
            BoundaryText.format(program),
            program.accuracy().name().toLowerCase(Locale.ROOT));
  }
}
