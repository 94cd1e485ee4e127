/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import java.io.Serializable;
import java.util.List;

/**
 * An operation of a program's graph. Equal expressions are one node. Operands, fields and
 * parameters are named by their index in the program.
 */
public sealed interface Node extends Serializable {
  /** A cell of a field; see {@link Expression.Tap}. */
  record Tap(int field, boolean updated, List<Integer> offset) implements Node {}

  /** A number; see {@link Expression.Constant}. */
  record Constant(double value) implements Node {}

  /** A number that may change from step to step; see {@link Expression.Parameter}. */
  record Parameter(int index) implements Node {}

  /** A position; see {@link Expression.Coordinate}. */
  record Coordinate(int axis) implements Node {}

  /** An operation on earlier nodes; see {@link Expression.Apply}. */
  record Apply(Operation operation, List<Integer> operands) implements Node {}

  /** Returns the operands, none for a leaf. */
  default List<Integer> inputs() {
    return this instanceof Apply apply ? apply.operands() : List.of();
  }
}
