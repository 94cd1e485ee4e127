/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * How far a program reads a field: the box of offsets, which contains 0.
 *
 * @param low the cells before, per axis, at least 0
 * @param high the cells after, per axis, at least 0
 */
public record Reach(List<Integer> low, List<Integer> high) implements Serializable {
  /** Returns the box of offset 0 alone. */
  static Reach none(int dimensions) {
    List<Integer> zeros = Collections.nCopies(dimensions, 0);
    return new Reach(zeros, zeros);
  }

  /** Returns the box of some cells before and after, per axis. */
  static Reach of(int[] low, int[] high) {
    return new Reach(Arrays.stream(low).boxed().toList(), Arrays.stream(high).boxed().toList());
  }

  /** Returns the box of both boxes. */
  Reach union(Reach other) {
    return new Reach(larger(low, other.low), larger(high, other.high));
  }

  private static List<Integer> larger(List<Integer> a, List<Integer> b) {
    return IntStream.range(0, a.size())
        .mapToObj(axis -> Math.max(a.get(axis), b.get(axis)))
        .toList();
  }

  /** Returns the box of 0 and this box, moved by an offset. */
  Reach moved(List<Integer> offset) {
    IntFunction<Integer> lows = axis -> Math.max(0, low.get(axis) - offset.get(axis));
    IntFunction<Integer> highs = axis -> Math.max(0, high.get(axis) + offset.get(axis));
    return new Reach(
        IntStream.range(0, offset.size()).mapToObj(lows).toList(),
        IntStream.range(0, offset.size()).mapToObj(highs).toList());
  }

  /** Returns the largest distance along an axis. */
  public int radius(int axis) {
    return Math.max(low.get(axis), high.get(axis));
  }

  /** Returns how far a step reads the old cells of each field, through all its stages. */
  static List<Reach> ofStep(StencilProgram program) {
    Reach none = none(program.dimensions());
    int fields = program.fields().size();
    List<Reach> old = new ArrayList<>(Collections.nCopies(fields, none));
    List<Reach> updated = new ArrayList<>(Collections.nCopies(fields, none));
    // from the last update back: what an update reads is read as far as its own results are
    for (int u = program.updates().size() - 1; u >= 0; u--) {
      Update update = program.updates().get(u);
      Reach results = updated.get(update.field());
      for (Node node : program.nodes(update)) {
        if (node instanceof Node.Tap tap) {
          List<Reach> read = tap.updated() ? updated : old;
          read.set(tap.field(), read.get(tap.field()).union(results.moved(tap.offset())));
        }
      }
    }
    return List.copyOf(old);
  }
}
