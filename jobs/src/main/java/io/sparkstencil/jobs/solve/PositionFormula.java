/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.engine.BestProgram;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;

/**
 * The first cells of a field by an expression over their positions. Each task computes those of its
 * own blocks, as double, on the CPU.
 *
 * <p>The expression is that of a program's text. {@code x}, {@code y} and {@code z} are the
 * position in cells, from 0; {@code nx}, {@code ny} and {@code nz} are the cells along the axes, so
 * that {@code x/nx} is the position in [0, 1).
 *
 * @param text the expression
 * @param shape the cells of the grid along each axis
 */
record PositionFormula(String text, List<Long> shape) implements FieldSource {
  private static final long serialVersionUID = 1L;

  private static final String FIELD = "cells";

  /**
   * Checks the expression.
   *
   * @throws InvalidStencilException with the line and column if it is none
   */
  PositionFormula {
    shape = List.copyOf(shape);
    List<String> axes = StencilProgram.axes(shape.size());
    StencilProgram program = ProgramText.parseValue(FIELD, text, axes);
    for (Node node : program.nodes()) {
      if (node instanceof Node.Tap tap) {
        throw new InvalidStencilException(
            "the first cells are written with %s, which has none yet; write positions %s"
                .formatted(program.fields().get(tap.field()), axes));
      }
    }
    List<String> known = axes.stream().map(PositionFormula::cellsAlong).toList();
    for (String name : program.parameters()) {
      if (!known.contains(name)) {
        throw new InvalidStencilException(
            "the first cells are written with the unknown name %s; use the position %s, the cells along the axes %s, and numbers"
                .formatted(name, axes, known));
      }
    }
  }

  private static String cellsAlong(String axis) {
    return "n" + axis;
  }

  @Override
  public FieldReader open(Configuration hadoop) {
    return new Reader(this);
  }

  /** Returns the values of a box of cells. */
  double[] values(Box box) {
    try (Reader reader = new Reader(this)) {
      return reader.values(box);
    }
  }

  /** Computes boxes instead of reading them. */
  private static final class Reader implements FieldReader {
    private final PositionFormula formula;
    private final List<String> axes;
    private final StencilProgram program;
    private final ProgramEngines engines = ProgramEngines.select(Engines.CPU, Map.of());
    private final BestProgram compiled;

    Reader(PositionFormula formula) {
      this.formula = formula;
      axes = StencilProgram.axes(formula.shape().size());
      StringBuilder positions = new StringBuilder();
      for (String axis : axes) {
        positions.append("%s = %s + %s;%n".formatted(axis, inBox(axis), ofBox(axis)));
      }
      program =
          ProgramText.parse(
              "%s%s' = %s".formatted(positions, FIELD, formula.text()),
              axes.stream().map(Reader::inBox).toList());
      compiled = engines.compile(program);
    }

    private static String inBox(String axis) {
      return axis + "_in_box";
    }

    private static String ofBox(String axis) {
      return axis + "_of_box";
    }

    @Override
    public ElementType type() {
      return ElementType.F64;
    }

    @Override
    public List<Long> shape() {
      return formula.shape();
    }

    private double[] values(Box box) {
      Map<String, Double> values = new HashMap<>();
      for (int axis = 0; axis < axes.size(); axis++) {
        values.put(ofBox(axes.get(axis)), (double) box.start(axis));
        values.put(cellsAlong(axes.get(axis)), (double) formula.shape().get(axis));
      }
      values.keySet().retainAll(program.parameters());
      double[] cells = new double[box.cells()];
      compiled.run(
          new ProgramArrays(ElementType.F64, box.extent(), List.of(cells)),
          ParameterValues.of(program, values),
          1,
          1);
      return cells;
    }

    @Override
    public Object read(Box box, ElementType as) {
      double[] values = values(box);
      if (as == ElementType.F64) {
        return values;
      }
      float[] rounded = new float[values.length];
      IntStream.range(0, values.length).forEach(i -> rounded[i] = (float) values[i]);
      return rounded;
    }

    /** A program has two arrays of what it updates. */
    @Override
    public long heapBytes(Box box) {
      return 3L * Double.BYTES * box.cells();
    }

    @Override
    public void close() {
      engines.close();
    }
  }
}
