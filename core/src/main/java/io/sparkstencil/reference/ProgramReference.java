/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.Operation;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.Placement;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs programs one operation at a time, on some cells of a line: the definition of their results,
 * which every engine is compared with. Slow.
 */
public final class ProgramReference {
  /** As many as are computed between two questions whether to go on. */
  private static final int CELLS_AT_ONCE = 1024;

  private final ProgramTraits traits;
  private final StencilProgram program;
  private final ElementType type;
  private final Extent extent;
  private final Placement placement;
  private final ParameterValues parameters;

  /** The old cells of each field, and those that this step has written. */
  private final List<Object> old;

  private final List<Object> updated = new ArrayList<>();

  /** The fastest axis, along which lines lie. */
  private final int along;

  /** Where the first cell lies that is computed, by axis, and how many of its line are. */
  private final long[] position;

  private int count;

  /** What each node is at these cells, by node and cell. */
  private final double[][] values;

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
    along = extent.dimensions() - 1;
    position = new long[extent.dimensions()];
    values = new double[this.program.nodes().size()][Math.min(CELLS_AT_ONCE, extent.size(along))];
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
    for (Stage stage : traits.stages()) {
      for (int cell = 0; cell < extent.cells(); cell += count) {
        Cancellation.ask();
        locate(cell);
        for (int node : stage.order()) {
          compute(program.nodes().get(node), values[node], step);
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

  /** Goes to a cell, and as many after it as are computed with it. */
  private void locate(int cell) {
    int rest = cell;
    for (int axis = along; axis >= 0; axis--) {
      position[axis] = rest % extent.size(axis);
      rest /= extent.size(axis);
    }
    count = (int) Math.min(CELLS_AT_ONCE, extent.size(along) - position[along]);
  }

  private void compute(Node node, double[] to, int step) {
    if (node instanceof Node.Tap tap) {
      take(tap, to);
    } else if (node instanceof Node.Constant constant) {
      fill(to, constant.value());
    } else if (node instanceof Node.Parameter parameter) {
      fill(to, parameters.value(parameter.index(), step));
    } else if (node instanceof Node.Coordinate coordinate) {
      int axis = coordinate.axis();
      for (int i = 0; i < count; i++) {
        long at = position[axis] + (axis == along ? i : 0);
        to[i] = rounded((double) placement.position(axis, at));
      }
    } else {
      apply((Node.Apply) node, to);
    }
  }

  private void apply(Node.Apply node, double[] to) {
    Operation operation = node.operation();
    double[] a = operand(node, 0);
    double[] b = operand(node, 1);
    double[] c = operand(node, 2);
    for (int i = 0; i < count; i++) {
      to[i] =
          type == ElementType.F32
              ? operation.apply((float) a[i], (float) b[i], (float) c[i])
              : operation.apply(a[i], b[i], c[i]);
    }
  }

  /** Returns an operand, or the first one where there are fewer: it is ignored. */
  private double[] operand(Node.Apply node, int index) {
    List<Integer> operands = node.operands();
    return values[operands.get(index < operands.size() ? index : 0)];
  }

  private void take(Node.Tap tap, double[] to) {
    FieldBoundary boundary = program.boundaries().get(tap.field());
    int line = 0;
    for (int axis = 0; axis < along; axis++) {
      long index = position[axis] + tap.offset().get(axis);
      Boundary beside = boundary.beside(axis, index);
      long source = beside.sourceIndex(index, extent.size(axis));
      if (source < 0) {
        fill(to, beside.constant());
        return;
      }
      line = line * extent.size(axis) + (int) source;
    }
    int size = extent.size(along);
    long first = position[along] + tap.offset().get(along);
    Object array = (tap.updated() ? updated : old).get(tap.field());
    for (int i = 0; i < count; i++) {
      Boundary beside = boundary.beside(along, first + i);
      long source = beside.sourceIndex(first + i, size);
      to[i] = source < 0 ? rounded(beside.constant()) : get(array, line * size + (int) source);
    }
  }

  private void fill(double[] to, double value) {
    Arrays.fill(to, 0, count, rounded(value));
  }

  private double rounded(double value) {
    return type == ElementType.F32 ? (float) value : value;
  }

  private static double get(Object array, int cell) {
    return array instanceof float[] floats ? floats[cell] : ((double[]) array)[cell];
  }

  private void set(Object array, int cell, double[] from) {
    for (int i = 0; i < count; i++) {
      if (array instanceof float[] floats) {
        floats[cell + i] = (float) from[i];
      } else {
        ((double[]) array)[cell + i] = from[i];
      }
    }
  }
}
