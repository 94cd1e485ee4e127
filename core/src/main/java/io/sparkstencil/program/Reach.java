/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

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

  /** Returns the box of 0 and an offset. */
  static Reach to(List<Integer> offset) {
    return new Reach(
        offset.stream().map(distance -> Math.max(0, -distance)).toList(),
        offset.stream().map(distance -> Math.max(0, distance)).toList());
  }

  /** Returns the box of both boxes. */
  Reach union(Reach other) {
    return combine(other, false);
  }

  /** Returns the box that is reached by a step in this box, followed by a step in the other. */
  Reach plus(Reach other) {
    return combine(other, true);
  }

  private Reach combine(Reach other, boolean add) {
    List<Integer> lows = new ArrayList<>();
    List<Integer> highs = new ArrayList<>();
    for (int i = 0; i < low.size(); i++) {
      lows.add(add ? low.get(i) + other.low.get(i) : Math.max(low.get(i), other.low.get(i)));
      highs.add(add ? high.get(i) + other.high.get(i) : Math.max(high.get(i), other.high.get(i)));
    }
    return new Reach(List.copyOf(lows), List.copyOf(highs));
  }

  /** Returns the largest distance along an axis. */
  public int radius(int axis) {
    return Math.max(low.get(axis), high.get(axis));
  }

  /** Returns how far a step reads the old cells of each field, through all its stages. */
  static List<Reach> ofStep(StencilProgram program, List<Stage> stages) {
    int dimensions = program.dimensions();
    Reach none = none(dimensions);
    int fields = program.fields().size();
    List<Reach> old = new ArrayList<>(Collections.nCopies(fields, none));
    List<Reach> updated = new ArrayList<>(Collections.nCopies(fields, none));
    // from the last stage back: what a stage reads is read as far as its own results are
    for (int s = stages.size() - 1; s >= 0; s--) {
      Stage stage = stages.get(s);
      Reach results =
          stage.updates().stream()
              .map(update -> updated.get(update.field()))
              .reduce(none, Reach::union);
      for (int node : stage.order()) {
        if (program.nodes().get(node) instanceof Node.Tap tap) {
          List<Reach> read = tap.updated() ? updated : old;
          Reach through = results.plus(to(tap.offset()));
          read.set(tap.field(), read.get(tap.field()).union(through));
        }
      }
    }
    return List.copyOf(old);
  }
}
