/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import io.sparkstencil.kernels.codegen.program.ArrayView;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import io.sparkstencil.model.Boundary.Mode;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Reach;
import io.sparkstencil.program.Stage;
import java.util.ArrayList;
import java.util.List;

/**
 * Which cells must be computed, stage by stage, for those of a box to be right several steps on.
 * All spans have three axes; those that a program lacks come first and have one cell.
 *
 * <p>Along an axis on which all fields wrap, spans go on beyond the ends of the field: position -1
 * is another name for the last cell. A span of a whole axis does not.
 */
public final class SlabGeometry {
  private final List<Integer> sizes;
  private final boolean[] wraps = new boolean[ArrayView.AXES];
  private final int stages;
  private final int[][] before;
  private final int[][] after;

  /**
   * The cells of each stage, those of the first step first; before them the cells that it reads.
   */
  private final List<Span> spans = new ArrayList<>();

  /**
   * Plans a box.
   *
   * @param sizes the cells of the field along three axes
   * @param target the box
   * @param steps the number of steps, at least 1
   */
  public SlabGeometry(ProgramTraits traits, List<Integer> sizes, Span target, int steps) {
    this.sizes = sizes;
    stages = traits.stages().size();
    before = new int[stages][ArrayView.AXES];
    after = new int[stages][ArrayView.AXES];
    for (int axis = 0; axis < traits.program().dimensions(); axis++) {
      wraps[ArrayView.AXES - traits.program().dimensions() + axis] =
          wraps(traits, axis) == Wrapping.ALL;
    }
    for (int s = 0; s < stages; s++) {
      measure(traits, s);
    }
    spans.add(target);
    for (int step = steps; step > 0; step--) {
      for (int s = stages - 1; s >= 0; s--) {
        spans.add(0, grown(spans.get(0), s));
      }
    }
  }

  /** How many of a program's fields wrap along an axis. */
  public enum Wrapping {
    NONE,
    SOME,
    ALL
  }

  /** Returns how many of the fields wrap along an axis of the program. */
  public static Wrapping wraps(ProgramTraits traits, int axis) {
    long wrapping =
        traits.program().boundaries().stream()
            .filter(boundary -> boundary.low().get(axis).mode() == Mode.WRAP)
            .count();
    return wrapping == 0
        ? Wrapping.NONE
        : wrapping == traits.program().boundaries().size() ? Wrapping.ALL : Wrapping.SOME;
  }

  private void measure(ProgramTraits traits, int s) {
    Stage stage = traits.stages().get(s);
    for (int field = 0; field < traits.program().fields().size(); field++) {
      for (boolean updated : new boolean[] {false, true}) {
        Reach reach = traits.reach(stage, field, updated);
        for (int axis = 0; axis < ArrayView.AXES; axis++) {
          int low = ArrayView.threeAxes(reach.low(), 0).get(axis);
          int high = ArrayView.threeAxes(reach.high(), 0).get(axis);
          // a cell beyond one end may be a copy of one as far inside: both sides are needed alike
          before[s][axis] = Math.max(before[s][axis], wraps[axis] ? low : Math.max(low, high));
          after[s][axis] = Math.max(after[s][axis], wraps[axis] ? high : Math.max(low, high));
        }
      }
    }
  }

  /** Returns the cells that a stage reads to compute a span. */
  private Span grown(Span span, int stage) {
    List<Integer> low = new ArrayList<>();
    List<Integer> high = new ArrayList<>();
    for (int axis = 0; axis < ArrayView.AXES; axis++) {
      int from = span.low().get(axis) - before[stage][axis];
      int to = span.high().get(axis) + after[stage][axis];
      boolean whole = isWhole(span, axis) || to - from >= sizes.get(axis);
      if (whole || !wraps[axis]) {
        from = whole ? 0 : Math.max(0, from);
        to = whole ? sizes.get(axis) : Math.min(sizes.get(axis), to);
      }
      low.add(from);
      high.add(to);
    }
    return new Span(low, high);
  }

  private boolean isWhole(Span span, int axis) {
    return span.low().get(axis) == 0 && span.high().get(axis).equals(sizes.get(axis));
  }

  /** Returns the cells that a stage of a step computes; steps count from 1. */
  public Span computed(int step, int stage) {
    return spans.get((step - 1) * stages + stage + 1);
  }

  /** Returns the cells before the first step that the steps need. */
  public Span loaded() {
    return spans.get(0);
  }

  /**
   * Returns the least span that has those that all steps compute, and those that they load if
   * asked.
   */
  public Span window(boolean withLoaded) {
    List<Integer> low = new ArrayList<>();
    List<Integer> high = new ArrayList<>();
    List<Span> all = withLoaded ? spans : spans.subList(1, spans.size());
    for (int axis = 0; axis < ArrayView.AXES; axis++) {
      int index = axis;
      low.add(all.stream().mapToInt(span -> span.low().get(index)).min().orElseThrow());
      high.add(all.stream().mapToInt(span -> span.high().get(index)).max().orElseThrow());
    }
    return new Span(low, high);
  }

  /** Returns whether a span goes on beyond the ends of the field along an axis. */
  public boolean goesOn(Span span, int axis) {
    return wraps[axis] && !isWhole(span, axis);
  }

  /**
   * A part of a span that is inside the field, under the positions that its cells have there.
   *
   * @param cells the positions in the field
   * @param shift what is to be added to them for those in the span
   */
  public record Piece(Span cells, List<Integer> shift) {}

  /** Returns the parts of a span, cut where the field ends. */
  public List<Piece> pieces(Span span) {
    List<Piece> pieces = List.of(new Piece(span, List.of(0, 0, 0)));
    for (int axis = 0; axis < ArrayView.AXES; axis++) {
      List<Piece> cut = new ArrayList<>();
      for (Piece piece : pieces) {
        cut(piece, axis, cut);
      }
      pieces = cut;
    }
    return pieces;
  }

  private void cut(Piece piece, int axis, List<Piece> cut) {
    int size = sizes.get(axis);
    int low = piece.cells().low().get(axis);
    int high = piece.cells().high().get(axis);
    for (int turn = Math.floorDiv(low, size); turn * size < high; turn++) {
      int from = Math.max(low, turn * size) - turn * size;
      int to = Math.min(high, (turn + 1) * size) - turn * size;
      Span cells =
          new Span(with(piece.cells().low(), axis, from), with(piece.cells().high(), axis, to));
      cut.add(new Piece(cells, with(piece.shift(), axis, turn * size)));
    }
  }

  private static List<Integer> with(List<Integer> list, int axis, int value) {
    List<Integer> changed = new ArrayList<>(list);
    changed.set(axis, value);
    return List.copyOf(changed);
  }

  /** Returns the number of cells of a span. */
  public static long cells(Span span) {
    long cells = 1;
    for (int axis = 0; axis < ArrayView.AXES; axis++) {
      cells *= Math.max(0, span.high().get(axis) - span.low().get(axis));
    }
    return cells;
  }
}
