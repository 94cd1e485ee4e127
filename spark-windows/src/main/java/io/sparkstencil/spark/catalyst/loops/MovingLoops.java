/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.series.OrderedSeries;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.ArrayList;
import java.util.List;

/** The functions of a plan whose frames move from row to row. Used by one thread. */
final class MovingLoops {
  private final List<Loop> loops = new ArrayList<>();
  private final List<FrameBounds> bounds = new ArrayList<>(); // that differ
  private final List<FrameEnds> ends = new ArrayList<>(); // of these
  private final FrameCells cells;
  private int row; // where the cells of the next row are
  private RuntimeException failure;

  /** A function, the frames that it shares, and which result it has. */
  private record Loop(MovingFunction function, FrameEnds ends, int result) {}

  /**
   * Creates the functions of a task.
   *
   * @param functions those of all calls, in their order
   */
  MovingLoops(LoopPlan plan, List<LoopFunction> functions) {
    for (int f = 0; f < functions.size(); f++) {
      if (functions.get(f) instanceof MovingFunction moving) {
        loops.add(new Loop(moving, ends(plan.calls().get(f).bounds()), f));
      }
    }
    this.cells = new FrameCells(plan.sources(), plan.needed(true));
  }

  private FrameEnds ends(FrameBounds wanted) {
    int known = bounds.indexOf(wanted);
    if (known >= 0) {
      return ends.get(known);
    }
    bounds.add(wanted);
    ends.add(wanted.start());
    return ends.get(bounds.size() - 1);
  }

  /** Begins a series. */
  void begin(OrderedSeries series) {
    if (!loops.isEmpty()) {
      begin(series.framed(), series.reader().remaining());
    }
  }

  /**
   * Begins a series.
   *
   * @param rows how many rows it has
   */
  void begin(OrderedSeries.FramedRows framed, long rows) {
    cells.begin(framed.from());
    row = framed.before();
    ends.forEach(FrameEnds::begin);
    loops.forEach(each -> each.function.begin(rows));
    for (FrameEnds each : ends) {
      if (framed.looksBack() && each.find(cells, 0, row) < row) {
        throw each.failure();
      }
    }
  }

  /**
   * Appends the results of the next rows.
   *
   * @return how many rows have results: all, or those before one whose frame or value fails
   */
  int run(int count, CellColumn[] results) {
    if (loops.isEmpty()) {
      return count;
    }
    takeOut();
    int found = count;
    for (FrameEnds each : ends) {
      int those = each.find(cells, row, found);
      failure = those < found ? each.failure() : failure;
      found = those;
    }
    for (Loop each : loops) {
      int those = each.function.run(cells.columns(), each.ends, found, results[each.result]);
      failure = those < found ? each.function.failure() : failure;
      found = those;
    }
    row += found;
    return found;
  }

  /** Takes out the cells that no frame needs any more, if they are many. */
  private void takeOut() {
    int first = row;
    for (FrameEnds each : ends) {
      first = Math.min(first, each.needed());
    }
    if (first > cells.rows() / 2) {
      int by = first;
      cells.removeFirst(by);
      row -= by;
      ends.forEach(each -> each.moved(by));
      loops.forEach(each -> each.function.moved(by));
    }
  }

  /** Returns how many rows have been read whose cells are kept. */
  int kept() {
    return cells.rows();
  }

  /** Returns why rows have no results, or null. */
  RuntimeException failure() {
    return failure;
  }
}
