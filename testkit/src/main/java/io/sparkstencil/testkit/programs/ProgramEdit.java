/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Writes a program again, with a change. */
final class ProgramEdit {
  /** Stands for no update, or no node. */
  static final int NONE = -1;

  /** What takes the place of a node. */
  @FunctionalInterface
  interface Replacement {
    /**
     * Returns an expression.
     *
     * @param written the expressions of all nodes before
     */
    Expression of(List<Expression> written);
  }

  private final StencilProgram program;
  private final int droppedUpdate;
  private final int replacedNode;
  private final Replacement replacement;

  private ProgramEdit(
      StencilProgram program, int droppedUpdate, int replacedNode, Replacement replacement) {
    this.program = program;
    this.droppedUpdate = droppedUpdate;
    this.replacedNode = replacedNode;
    this.replacement = replacement;
  }

  /** Returns the program without an update; those that read its result read the old cells. */
  static Optional<StencilProgram> drop(StencilProgram program, int update) {
    return new ProgramEdit(program, update, NONE, null).write();
  }

  /** Returns the program with another expression in the place of a node. */
  static Optional<StencilProgram> replace(StencilProgram program, int node, Replacement by) {
    return new ProgramEdit(program, NONE, node, by).write();
  }

  /** Returns the program, or nothing where the change leaves none. */
  private Optional<StencilProgram> write() {
    try {
      StencilProgram edited =
          StencilProgram.of(
              program.axes(),
              builder -> {
                Expression[] expressions = expressions();
                for (Update update : program.updates()) {
                  if (update.field() != droppedUpdate) {
                    builder.update(field(update.field()), expressions[update.node()]);
                  }
                }
              });
      for (String field : edited.fields()) {
        edited = edited.withBoundary(field, program.boundaries().get(program.field(field)));
      }
      return Optional.of(edited.withAccuracy(program.accuracy()));
    } catch (InvalidStencilException e) {
      return Optional.empty();
    }
  }

  private Field field(int index) {
    return new Field(program.fields().get(index), program.dimensions());
  }

  private Expression[] expressions() {
    Expression[] written = new Expression[program.nodes().size()];
    for (int i = 0; i < written.length; i++) {
      written[i] =
          i == replacedNode
              ? replacement.of(Arrays.asList(written).subList(0, i))
              : expression(program.nodes().get(i), written);
    }
    return written;
  }

  private Expression expression(Node node, Expression[] written) {
    if (node instanceof Node.Tap tap) {
      return new Expression.Tap(
          program.fields().get(tap.field()),
          tap.updated() && tap.field() != droppedUpdate,
          tap.offset());
    }
    if (node instanceof Node.Constant constant) {
      return new Expression.Constant(constant.value());
    }
    if (node instanceof Node.Parameter parameter) {
      return new Expression.Parameter(program.parameters().get(parameter.index()));
    }
    if (node instanceof Node.Coordinate coordinate) {
      return new Expression.Coordinate(coordinate.axis());
    }
    Node.Apply apply = (Node.Apply) node;
    return new Expression.Apply(
        apply.operation(), apply.operands().stream().map(operand -> written[operand]).toList());
  }
}
