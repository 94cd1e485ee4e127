/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * An array of cells by its name, as a program reads it.
 *
 * <pre>{@code
 * StencilProgram flow =
 *     StencilProgram.of(
 *         2,
 *         builder -> {
 *           Field u = builder.field("u");
 *           Field speed = builder.field("speed"); // only read
 *           builder.update(u, u.here().minus(speed.here().times(u.here().minus(u.at(-1, 0)))));
 *         });
 * }</pre>
 *
 * @param name a letter or underscore, followed by letters, digits and underscores
 * @param dimensions the number of its axes, 1 to 3
 */
public record Field(String name, int dimensions) {
  /** Checks that there is a name. */
  public Field {
    requireNonNull(name, "name is null");
  }

  /**
   * Returns the cell at a distance, before this step.
   *
   * @param offset one distance per axis, slowest axis first, in cells
   */
  public Expression at(int... offset) {
    return tap(false, offset);
  }

  /** Returns the cell itself, before this step. */
  public Expression here() {
    return new Expression.Tap(name, false, Collections.nCopies(dimensions, 0));
  }

  /**
   * Returns the cell at a distance, after this step: the update that reads it follows that of this
   * field.
   *
   * @param offset one distance per axis, slowest axis first, in cells; none for the cell itself
   */
  public Expression updated(int... offset) {
    return tap(true, offset.length == 0 ? new int[dimensions] : offset);
  }

  private Expression tap(boolean updated, int... offset) {
    if (offset.length != dimensions) {
      throw new InvalidStencilException(
          "%s has %d %s, but the offset %s has %d; give one distance per axis"
              .formatted(
                  name,
                  dimensions,
                  dimensions == 1 ? "axis" : "axes",
                  Arrays.toString(offset),
                  offset.length));
    }
    List<Integer> distances = Arrays.stream(offset).boxed().toList();
    return new Expression.Tap(name, updated, distances);
  }
}
