/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import java.util.ArrayList;
import java.util.List;

/** Rows that go through the engine together, and the way through their results. */
final class ArraySlot<K> implements ArrayResults, AutoCloseable {
  /** Rows with small or no arrays do not fill a batch with cells. */
  private static final int MAX_ROWS = 8192;

  private final List<ArrayPlan.Result> results;
  private final ArrayBatch[] batches;
  private final IntList[] shapes;
  private final IntList[] shapeEnds; // per row
  private final IntList[] pieceEnds; // per row
  private final List<K> kept = new ArrayList<>();
  private int row;
  private ArrayPlan.Result result;
  private int shape;
  private int piece;

  /** Creates a slot that owns {@code batches}, one per group of the plan. */
  ArraySlot(ArrayPlan plan, ArrayBatch[] batches) {
    this.results = plan.results();
    this.batches = batches;
    int inputs = plan.inputs().size();
    this.shapes = lists(inputs);
    this.shapeEnds = lists(inputs);
    this.pieceEnds = lists(inputs);
  }

  private static IntList[] lists(int count) {
    IntList[] lists = new IntList[count];
    for (int i = 0; i < count; i++) {
      lists[i] = new IntList();
    }
    return lists;
  }

  /** Stages a row; false if it is for the next slot. {@code keep} comes back with its results. */
  boolean tryAdd(ArrayRow arrays, K keep) {
    for (ArrayBatch batch : batches) {
      ArrayRow.Column column = arrays.column(batch.inputIndex());
      if (kept.isEmpty()) {
        batch.expect(column.longest());
      }
      long cells = batch.cellsWith(column.staged(), column.cells());
      if (kept.isEmpty()) {
        batch.reserve(cells);
      } else if (!batch.holds(cells, column.longest()) || kept.size() == MAX_ROWS) {
        return false;
      }
    }
    for (ArrayBatch batch : batches) {
      ArrayRow.Column column = arrays.column(batch.inputIndex());
      for (int i = 0; i < column.leaves(); i++) {
        if (column.leaf(i).length() > 0) {
          batch.stage(column.leaf(i));
        }
      }
    }
    for (int input = 0; input < shapes.length; input++) {
      ArrayRow.Column column = arrays.column(input);
      int pieces = kept.isEmpty() ? 0 : pieceEnds[input].get(kept.size() - 1);
      shapes[input].addAll(column.shape());
      shapeEnds[input].add(shapes[input].size());
      pieceEnds[input].add(pieces + column.staged());
    }
    kept.add(keep);
    return true;
  }

  int rows() {
    return kept.size();
  }

  void submit() {
    for (ArrayBatch batch : batches) {
      batch.submit();
    }
  }

  boolean isDone() {
    for (ArrayBatch batch : batches) {
      if (!batch.isDone()) {
        return false;
      }
    }
    return true;
  }

  void await() {
    for (ArrayBatch batch : batches) {
      batch.await();
    }
    row = -1;
  }

  /** Moves to the next row; false after the last. */
  boolean nextRow() {
    row++;
    return row < kept.size();
  }

  K kept() {
    return kept.get(row);
  }

  void clear() {
    kept.clear();
    for (ArrayBatch batch : batches) {
      batch.clear();
    }
    for (int i = 0; i < shapes.length; i++) {
      shapes[i].clear();
      shapeEnds[i].clear();
      pieceEnds[i].clear();
    }
  }

  long outputCells() {
    long cells = 0;
    for (ArrayBatch batch : batches) {
      cells += batch.outputCells();
    }
    return cells;
  }

  long stagedBytes() {
    long bytes = 0;
    for (ArrayBatch batch : batches) {
      bytes += batch.stagedBytes();
    }
    return bytes;
  }

  @Override
  public void begin(int operation) {
    result = results.get(operation);
    int input = result.call().input();
    shape = row == 0 ? 0 : shapeEnds[input].get(row - 1);
    piece = row == 0 ? 0 : pieceEnds[input].get(row - 1);
  }

  @Override
  public int nextArray() {
    return shapes[result.call().input()].get(shape++);
  }

  @Override
  public int resultLength(int cells) {
    return result.call().operation().resultLength(cells);
  }

  @Override
  public byte[] validity(int cells) {
    return resultLength(cells) == 0
        ? null
        : batches[result.group()].resultValidity(result.output(), piece);
  }

  @Override
  public int firstResult() {
    return result.call().operation().cutLeft();
  }

  @Override
  public void copyLeaf(int cells, Object target, long offset) {
    if (cells == 0) {
      return;
    }
    int count = resultLength(cells);
    if (count > 0) {
      batches[result.group()].copyResults(
          result.output(), piece, firstResult(), count, target, offset);
    }
    piece++;
  }

  @Override
  public void close() {
    for (ArrayBatch batch : batches) {
      batch.close();
    }
  }
}
