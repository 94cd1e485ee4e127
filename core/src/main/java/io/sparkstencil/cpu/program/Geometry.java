/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.model.Boundary.Mode;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Stage;
import java.util.List;

/** Which cells a tile needs to compute its results several steps on, and which it computes when. */
final class Geometry {
  private final int dimensions;
  private final int[] domain = {1, 1, 1};
  private final int[][] stageLow;
  private final int[][] stageHigh;
  private final int[] stepLow = new int[TileBox.AXES];
  private final int[] stepHigh = new int[TileBox.AXES];
  private final int[] padLow = new int[TileBox.AXES];
  private final int[] padHigh = new int[TileBox.AXES];
  private final boolean[] wraps = new boolean[TileBox.AXES];
  private final boolean[] whole = new boolean[TileBox.AXES];

  Geometry(ProgramTraits traits, Extent extent) {
    dimensions = extent.dimensions();
    int stages = traits.stages().size();
    stageLow = new int[stages][TileBox.AXES];
    stageHigh = new int[stages][TileBox.AXES];
    for (int i = 0; i < dimensions; i++) {
      domain[axis(i)] = extent.size(i);
      findWraps(i, traits.program().boundaries());
    }
    for (int s = 0; s < stages; s++) {
      measure(traits, s);
    }
  }

  /** Returns the axis along which a tile moves. */
  int slowest() {
    return axis(0);
  }

  /** Returns the number of stages of a step. */
  int stages() {
    return stageLow.length;
  }

  /** Returns how far a stage reads along the slowest axis at most, to either side. */
  int lag() {
    return Math.max(padLow[slowest()], padHigh[slowest()]);
  }

  /** Returns which of the three axes an axis of the program is. */
  int axis(int programAxis) {
    return TileBox.AXES - dimensions + programAxis;
  }

  /**
   * A tile goes on beyond the ends of an axis along which all fields wrap. Where only some do, it
   * has the whole axis.
   */
  private void findWraps(int axis, List<FieldBoundary> boundaries) {
    long wrapping = boundaries.stream().filter(b -> b.low().get(axis).mode() == Mode.WRAP).count();
    wraps[axis(axis)] = wrapping == boundaries.size();
    whole[axis(axis)] = wrapping > 0 && !wraps[axis(axis)];
  }

  private void measure(ProgramTraits traits, int s) {
    Stage stage = traits.stages().get(s);
    for (int node : stage.order()) {
      if (traits.program().nodes().get(node) instanceof Node.Tap tap) {
        for (int i = 0; i < dimensions; i++) {
          int distance = tap.offset().get(i);
          stageLow[s][axis(i)] = Math.max(stageLow[s][axis(i)], -distance);
          stageHigh[s][axis(i)] = Math.max(stageHigh[s][axis(i)], distance);
        }
      }
    }
    for (int axis = 0; axis < TileBox.AXES; axis++) {
      if (!wraps[axis]) {
        // a cell beyond one end is a copy of one as far inside: both sides are needed alike
        int radius = Math.max(stageLow[s][axis], stageHigh[s][axis]);
        stageLow[s][axis] = radius;
        stageHigh[s][axis] = radius;
      }
      stepLow[axis] += stageLow[s][axis];
      stepHigh[axis] += stageHigh[s][axis];
      padLow[axis] = Math.max(padLow[axis], stageLow[s][axis]);
      padHigh[axis] = Math.max(padHigh[axis], stageHigh[s][axis]);
    }
  }

  /** Returns the number of cells of a field. */
  long cells() {
    return (long) domain[0] * domain[1] * domain[2];
  }

  /** Returns the number of cells of the field along an axis. */
  int domain(int axis) {
    return domain[axis];
  }

  /** Returns whether a tile goes on beyond the ends of an axis, with the cells of the other end. */
  boolean wraps(int axis) {
    return wraps[axis];
  }

  /** Returns whether tiles must have all cells of an axis. */
  boolean whole(int axis) {
    return whole[axis];
  }

  /**
   * Returns the cells that a tile of results loses along an axis in a step, both sides together.
   */
  int shrink(int axis) {
    return stepLow[axis] + stepHigh[axis];
  }

  /** Returns the distances of an offset along three axes. */
  int[] offset(List<Integer> offset) {
    int[] distances = new int[TileBox.AXES];
    for (int i = 0; i < dimensions; i++) {
      distances[axis(i)] = offset.get(i);
    }
    return distances;
  }

  /** Returns the axis of the program that one of the three is, or -1. */
  int programAxis(int axis) {
    return axis - (TileBox.AXES - dimensions);
  }

  /** Returns the cells that are loaded to compute {@code results} after a number of steps. */
  TileBox loaded(TileBox results, int steps) {
    int[] low = new int[TileBox.AXES];
    int[] high = new int[TileBox.AXES];
    for (int axis = 0; axis < TileBox.AXES; axis++) {
      low[axis] = results.low()[axis] - steps * stepLow[axis];
      high[axis] = results.high()[axis] + steps * stepHigh[axis];
      if (!wraps[axis]) {
        low[axis] = low[axis] < 0 ? -padLow[axis] : low[axis];
        high[axis] = high[axis] > domain[axis] ? domain[axis] + padHigh[axis] : high[axis];
      }
    }
    return new TileBox(low, high);
  }

  /** Returns the cells that a stage computes when a number of steps come after its own. */
  TileBox computed(TileBox results, int stepsAfter, int stage) {
    int[] low = new int[TileBox.AXES];
    int[] high = new int[TileBox.AXES];
    for (int axis = 0; axis < TileBox.AXES; axis++) {
      low[axis] = results.low()[axis] - stepsAfter * stepLow[axis];
      high[axis] = results.high()[axis] + stepsAfter * stepHigh[axis];
      for (int later = stage + 1; later < stageLow.length; later++) {
        low[axis] -= stageLow[later][axis];
        high[axis] += stageHigh[later][axis];
      }
      if (!wraps[axis]) {
        low[axis] = Math.max(0, low[axis]);
        high[axis] = Math.min(domain[axis], high[axis]);
      }
    }
    return new TileBox(low, high);
  }
}
