/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.model.Boundary;
import java.util.ArrayList;
import java.util.List;

/**
 * Which cells depend on which: the program that a program becomes when its cells are marks. A mark
 * is 1 or 0, and a result is marked where a cell that is read is. Entries that know missing cells
 * find out by it which results are missing.
 */
public final class Marks {
  private Marks() {}

  /** Returns the program that moves marks as {@code program} moves its cells. */
  public static StencilProgram of(StencilProgram program) {
    StencilProgram marks =
        StencilProgram.of(
            program.axes(),
            builder ->
                program
                    .stages()
                    .forEach(
                        stage -> stage.updates().forEach(update -> add(program, update, builder))));
    StencilProgram bounded = marks;
    for (String field : marks.fields()) {
      FieldBoundary boundary = program.boundaries().get(program.field(field));
      bounded = bounded.withBoundary(field, unmarked(boundary));
    }
    return bounded;
  }

  private static void add(StencilProgram program, Update update, ProgramBuilder builder) {
    Expression marked = Expression.constant(0);
    for (Node node : program.nodes(update)) {
      if (node instanceof Node.Tap tap) {
        Expression cell =
            new Expression.Tap(program.fields().get(tap.field()), tap.updated(), tap.offset());
        marked = marked.max(cell);
      }
    }
    builder.update(builder.field(program.fields().get(update.field())), marked);
  }

  /** Constants outside a field are never missing. */
  private static FieldBoundary unmarked(FieldBoundary boundary) {
    return new FieldBoundary(unmarked(boundary.low()), unmarked(boundary.high()));
  }

  private static List<Boundary> unmarked(List<Boundary> sides) {
    List<Boundary> unmarked = new ArrayList<>();
    for (Boundary side : sides) {
      unmarked.add(side.copiesCells() ? side : Boundary.constant(0));
    }
    return unmarked;
  }
}
