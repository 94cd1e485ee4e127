/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.error.InvalidStencilException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Names the fields and parameters of a program, and collects its updates.
 *
 * <pre>{@code
 * StencilProgram heat =
 *     StencilProgram.of(
 *         1,
 *         builder -> {
 *           Field u = builder.field("u");
 *           Expression a = builder.parameter("a");
 *           Expression curvature = u.at(-1).minus(u.here().times(2)).plus(u.at(1));
 *           builder.update(u, u.here().plus(a.times(curvature)));
 *         });
 * }</pre>
 */
public final class ProgramBuilder {
  private final List<String> axes;
  private final Map<String, Expression> updates = new LinkedHashMap<>();

  ProgramBuilder(List<String> axes) {
    this.axes = List.copyOf(axes);
    ProgramNames.requireAxes(axes);
  }

  /**
   * Returns a field. It is a coefficient field, which the program only reads, unless {@link
   * #update} gives it a new value.
   */
  public Field field(String name) {
    ProgramNames.require(name, axes);
    return new Field(name, axes.size());
  }

  /** Returns a parameter: a number that is given for each step. */
  public Expression parameter(String name) {
    ProgramNames.require(name, axes);
    return new Expression.Parameter(name);
  }

  /** Returns the position along an axis, from 0; the slowest axis is axis 0. */
  public Expression coordinate(int axis) {
    GraphBuilder.requireAxis(axis, axes);
    return new Expression.Coordinate(axis);
  }

  /**
   * Gives a field its new value. All updates read the old values, unless they ask for {@link
   * Field#updated}.
   */
  public void update(Field field, Expression value) {
    ProgramNames.require(field.name(), axes);
    if (value.isCondition()) {
      throw new InvalidStencilException(
          "%s is set to a condition; choose numbers by it: where(u > 0, 1, 0), in Java select"
              .formatted(field.name()));
    }
    if (updates.put(field.name(), value) != null) {
      throw new InvalidStencilException(
          "%s is updated twice; give each field one update".formatted(field.name()));
    }
  }

  StencilProgram build() {
    if (updates.isEmpty()) {
      throw new InvalidStencilException(
          "a program without updates computes nothing; update a field");
    }
    return new GraphBuilder(axes).build(updates);
  }
}
