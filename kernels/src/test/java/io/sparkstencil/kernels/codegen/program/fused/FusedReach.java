/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import io.sparkstencil.program.Node;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How far several steps of a program read along an axis: exactly, from the last step back. */
record FusedReach(int before, int after) {
  private record Cells(int low, int high) {
    private static final Cells NONE = new Cells(Integer.MAX_VALUE, Integer.MIN_VALUE);

    Cells and(Cells other, int offset) {
      if (other.equals(NONE)) {
        return this;
      }
      return new Cells(Math.min(low, other.low + offset), Math.max(high, other.high + offset));
    }
  }

  static FusedReach of(StencilProgram program, int steps, int axis) {
    Cells[] needed = new Cells[program.fields().size()];
    for (int field = 0; field < needed.length; field++) {
      needed[field] = program.updates(field) ? new Cells(0, 0) : Cells.NONE;
    }
    for (int step = 0; step < steps; step++) {
      needed = stepBack(program, needed, axis);
    }
    int low = Arrays.stream(needed).mapToInt(Cells::low).min().orElse(0);
    int high = Arrays.stream(needed).mapToInt(Cells::high).max().orElse(0);
    return new FusedReach(Math.max(0, -low), Math.max(0, high));
  }

  private static Cells[] stepBack(StencilProgram program, Cells[] after, int axis) {
    Cells[] updated = after.clone();
    Cells[] before = after.clone();
    Arrays.fill(before, 0, program.updates().size(), Cells.NONE);
    List<Update> updates = new ArrayList<>(program.updates());
    for (int u = updates.size() - 1; u >= 0; u--) {
      Cells results = updated[updates.get(u).field()];
      for (Node.Tap tap : taps(program, updates.get(u).node())) {
        Cells[] read = tap.updated() ? updated : before;
        read[tap.field()] = read[tap.field()].and(results, tap.offset().get(axis));
      }
    }
    return before;
  }

  private static List<Node.Tap> taps(StencilProgram program, int node) {
    boolean[] reached = new boolean[program.nodes().size()];
    reached[node] = true;
    List<Node.Tap> taps = new ArrayList<>();
    for (int i = node; i >= 0; i--) {
      if (reached[i] && program.nodes().get(i) instanceof Node.Tap tap) {
        taps.add(tap);
      } else if (reached[i]) {
        program.nodes().get(i).inputs().forEach(input -> reached[input] = true);
      }
    }
    return taps;
  }
}
