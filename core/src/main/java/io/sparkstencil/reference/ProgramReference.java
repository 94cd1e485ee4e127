/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.Placement;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs programs one cell, one operation at a time: the definition of their results, which every
 * engine is compared with. Slow.
 */
public final class ProgramReference {
  private static final int CELLS_PER_QUESTION = 1024;

  private final ProgramTraits traits;
  private final StencilProgram program;
  private final ElementType type;
  private final Extent extent;
  private final Placement placement;
  private final ParameterValues parameters;

  /** The old cells of each field, and those that this step has written. */
  private final List<Object> old;

  private final List<Object> updated = new ArrayList<>();

  /** Where the cell lies that is computed, by axis. */
  private final long[] position;

  private ProgramReference(
      StencilProgram program, ProgramArrays arrays, ParameterValues parameters) {
    arrays.requireFieldsOf(program);
    traits = ProgramTraits.of(program);
    this.program = traits.program();
    this.parameters = parameters;
    type = arrays.type();
    extent = arrays.extent();
    placement = arrays.placement();
    old = arrays.arrays();
    position = new long[extent.dimensions()];
  }

  /** Runs a number of steps and replaces the cells of the updated fields. */
  public static void run(
      StencilProgram program, ProgramArrays arrays, ParameterValues parameters, int steps) {
    ProgramReference reference = new ProgramReference(program, arrays, parameters);
    for (int step = 0; step < steps; step++) {
      reference.step(step);
    }
  }

  private void step(int step) {
    updated.clear();
    program.updates().forEach(update -> updated.add(type.newArray(extent.cells())));
    double[] values = new double[program.nodes().size()];
    for (Stage stage : traits.stages()) {
      for (int cell = 0; cell < extent.cells(); cell++) {
        if (cell % CELLS_PER_QUESTION == 0) {
          Cancellation.ask();
        }
        locate(cell);
        for (int node : stage.order()) {
          values[node] = value(node, values, step);
        }
        for (Update update : stage.updates()) {
          set(updated.get(update.field()), cell, values[update.node()]);
        }
      }
    }
    for (Update update : program.updates()) {
      System.arraycopy(updated.get(update.field()), 0, old.get(update.field()), 0, extent.cells());
    }
  }

  private double value(int index, double[] values, int step) {
    Node node = program.nodes().get(index);
    if (node instanceof Node.Tap tap) {
      return tap(tap);
    }
    if (node instanceof Node.Constant constant) {
      return rounded(constant.value());
    }
    if (node instanceof Node.Parameter parameter) {
      return rounded(parameters.value(parameter.index(), step));
    }
    if (node instanceof Node.Coordinate coordinate) {
      int axis = coordinate.axis();
      return rounded((double) placement.position(axis, position[axis]));
    }
    Node.Apply apply = (Node.Apply) node;
    double[] operands = new double[3];
    for (int i = 0; i < apply.operands().size(); i++) {
      operands[i] = values[apply.operands().get(i)];
    }
    return type == ElementType.F32
        ? apply.operation().apply((float) operands[0], (float) operands[1], (float) operands[2])
        : apply.operation().apply(operands[0], operands[1], operands[2]);
  }

  private double tap(Node.Tap tap) {
    FieldBoundary boundary = program.boundaries().get(tap.field());
    int cell = 0;
    for (int axis = 0; axis < extent.dimensions(); axis++) {
      long index = position[axis] + tap.offset().get(axis);
      Boundary beside = boundary.beside(axis, index);
      long source = beside.sourceIndex(index, extent.size(axis));
      if (source < 0) {
        return rounded(beside.constant());
      }
      cell = cell * extent.size(axis) + (int) source;
    }
    Object array = (tap.updated() ? updated : old).get(tap.field());
    return array instanceof float[] floats ? floats[cell] : ((double[]) array)[cell];
  }

  private void locate(int cell) {
    int rest = cell;
    for (int axis = extent.dimensions() - 1; axis >= 0; axis--) {
      position[axis] = rest % extent.size(axis);
      rest /= extent.size(axis);
    }
  }

  private double rounded(double value) {
    return type == ElementType.F32 ? (float) value : value;
  }

  private static void set(Object array, int cell, double value) {
    if (array instanceof float[] floats) {
      floats[cell] = (float) value;
    } else {
      ((double[]) array)[cell] = value;
    }
  }
}
