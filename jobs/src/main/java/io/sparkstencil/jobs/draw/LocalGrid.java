/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.draw;

import io.sparkstencil.engine.BestProgram;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramChoice;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.command.TimedParameters;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A program on a grid whose first cells follow from their positions, or are given. */
final class LocalGrid {
  private final StencilProgram program;
  private final Optional<StencilProgram> start;
  private final Map<String, Object> given;
  private final ElementType type;
  private final Extent extent;
  private final int steps;
  private final ParameterValues parameters;

  /**
   * Checks what is to run.
   *
   * @param start the text of the program that makes the first cells, or null
   * @param given arrays of first cells, by fields
   * @throws InvalidStencilException if the cells cannot be made of positions, or a parameter has no
   *     value
   */
  LocalGrid(
      StencilProgram program,
      String start,
      Map<String, Object> given,
      ElementType type,
      Extent extent,
      int steps,
      Map<String, Double> parameters) {
    if (steps < 0) {
      throw new InvalidStencilException("--steps %d; use at least 0".formatted(steps));
    }
    this.program = program;
    this.type = type;
    this.extent = extent;
    this.steps = steps;
    Map<String, Double> numbers = new HashMap<>(parameters);
    double dt = numbers.getOrDefault("dt", 1.0);
    TimedParameters timed = TimedParameters.of(program, parameters, dt);
    if (timed.isTimed() && !program.parameters().contains("dt")) {
      numbers.remove("dt"); // the time of a step alone
    }
    TimedParameters.require(program, numbers);
    this.parameters = timed;
    this.given = given;
    this.start = Optional.ofNullable(start).map(this::start);
    requireFirstCells();
  }

  private void requireFirstCells() {
    if (start.isEmpty() && given.isEmpty()) {
      throw new InvalidStencilException(
          "no cells to begin with; give them by --start TEXT or --cells NAME=PATH");
    }
    List<String> made = start.map(StencilProgram::fields).orElse(List.of());
    for (String field : given.keySet()) {
      if (made.contains(field)) {
        throw new InvalidStencilException(
            "the cells of %s are given by --start and by --cells; leave one of them out"
                .formatted(field));
      }
    }
    for (String field :
        program.fields().subList(program.updates().size(), program.fields().size())) {
      if (!made.contains(field) && !given.containsKey(field)) {
        throw new InvalidStencilException(
            "field %s is read and never updated, and --start gives it no cells; add \"%s' = ...\" (%s' = 0 for zeros)"
                .formatted(field, field, field));
      }
    }
  }

  private StencilProgram start(String text) {
    List<String> axes = StencilProgram.axes(extent.dimensions());
    StencilProgram made =
        text.contains("'")
            ? ProgramText.parse(text, axes)
            : ProgramText.parseValue(program.fields().get(0), text, axes);
    for (Node node : made.nodes()) {
      if (node instanceof Node.Tap tap && !tap.updated()) {
        throw new InvalidStencilException(
            "--start reads %s, which has no cells yet; write the first cells by their positions %s"
                .formatted(made.fields().get(tap.field()), made.axes()));
      }
    }
    if (!made.parameters().isEmpty()) {
      throw new InvalidStencilException(
          "--start has the unknown names %s; write numbers and the positions %s"
              .formatted(made.parameters(), made.axes()));
    }
    made.fields().forEach(program::field); // each must be one of the program
    return made;
  }

  /** Returns the program. */
  StencilProgram program() {
    return program;
  }

  /** Returns the cells along both axes. */
  Extent extent() {
    return extent;
  }

  /**
   * The cells after all steps.
   *
   * @param arrays those of each field
   * @param engine the engine that has run
   * @param why the reason for it
   * @param measured how the engine takes steps, if {@code tune} has measured it
   * @param seconds the time of all steps, copies to a device and back included
   */
  record GridOutcome(
      ProgramArrays arrays, String engine, String why, Optional<String> measured, double seconds) {
    /** Returns the cells of a field as doubles. */
    double[] cells(int field) {
      Object array = arrays.arrays().get(field);
      return array instanceof float[] floats
          ? IntStream.range(0, floats.length).mapToDouble(i -> floats[i]).toArray()
          : (double[]) array;
    }
  }

  /**
   * Makes the first cells and runs all steps.
   *
   * @param engine the name of an engine, or {@code auto}
   * @param options values of {@code spark.stencil.*} keys
   */
  GridOutcome on(String engine, Map<String, String> options) {
    int threads = Runtime.getRuntime().availableProcessors();
    ProgramArrays arrays = arrays(program);
    try (ProgramEngines engines = ProgramEngines.select(engine, options);
        ProgramEngines host = ProgramEngines.select(Engines.CPU, options)) {
      given.forEach(
          (name, cells) ->
              System.arraycopy(
                  cells, 0, arrays.arrays().get(program.field(name)), 0, extent.cells()));
      start.ifPresent(
          made -> {
            List<Object> first = new ArrayList<>();
            made.fields().forEach(name -> first.add(arrays.arrays().get(program.field(name))));
            host.compile(made)
                .run(new ProgramArrays(type, extent, first), ParameterValues.NONE, 1, threads);
          });
      BestProgram best = engines.compile(program);
      ProgramChoice choice = best.choose(type, extent, steps, threads);
      long begun = System.nanoTime();
      String ran = best.run(arrays, parameters, steps, threads, (failed, failure) -> {});
      double seconds = (System.nanoTime() - begun) / 1e9;
      return new GridOutcome(arrays, ran, choice.why(), best.measured(ran, type, extent), seconds);
    }
  }

  private ProgramArrays arrays(StencilProgram of) {
    return new ProgramArrays(
        type, extent, of.fields().stream().map(field -> type.newArray(extent.cells())).toList());
  }
}
