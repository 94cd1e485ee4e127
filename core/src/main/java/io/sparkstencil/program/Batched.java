/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import java.util.ArrayList;
import java.util.List;

/**
 * Programs over many arrays of one extent at once: the program of one more axis, the slowest, along
 * which the arrays follow each other and which no tap leaves.
 */
public final class Batched {
  private static final int MAX_DIMENSIONS = 3;

  private Batched() {}

  /** Returns whether a program can have one more axis. */
  public static boolean isPossible(StencilProgram program) {
    return program.dimensions() < MAX_DIMENSIONS;
  }

  /**
   * Returns the program that computes for each of many arrays what {@code program} does for one,
   * with the same bits.
   *
   * @throws InvalidStencilException if the program has as many axes as there can be
   */
  public static StencilProgram of(StencilProgram program) {
    if (!isPossible(program)) {
      throw new InvalidStencilException(
          "the program has the axes %s; arrays are batched along a further one of at most %d"
              .formatted(program.axes(), MAX_DIMENSIONS));
    }
    List<String> axes = new ArrayList<>(program.axes());
    axes.add(0, axis(program));
    List<Node> nodes = program.nodes().stream().map(Batched::node).toList();
    List<FieldBoundary> boundaries = program.boundaries().stream().map(Batched::boundary).toList();
    return new StencilProgram(
        axes,
        program.fields(),
        program.parameters(),
        nodes,
        program.updates(),
        boundaries,
        program.accuracy());
  }

  /** Returns a name that the program has not given to anything else. */
  private static String axis(StencilProgram program) {
    String name = "batch";
    while (program.axes().contains(name)
        || program.fields().contains(name)
        || program.parameters().contains(name)) {
      name += "_";
    }
    return name;
  }

  private static Node node(Node node) {
    if (node instanceof Node.Tap tap) {
      return new Node.Tap(tap.field(), tap.updated(), before(0, tap.offset()));
    }
    return node instanceof Node.Coordinate coordinate
        ? new Node.Coordinate(coordinate.axis() + 1)
        : node;
  }

  /** No tap asks for the rule of the new axis. */
  private static FieldBoundary boundary(FieldBoundary boundary) {
    return new FieldBoundary(
        before(Boundary.NEAREST, boundary.low()), before(Boundary.NEAREST, boundary.high()));
  }

  private static <T> List<T> before(T first, List<T> others) {
    List<T> all = new ArrayList<>(others);
    all.add(0, first);
    return List.copyOf(all);
  }
}
