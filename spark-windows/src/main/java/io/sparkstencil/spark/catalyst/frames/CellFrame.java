/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * A frame between two bounds that takes rows in and out in the same order as Spark's sliding frame,
 * but keeps the values that are computed with in arrays. Of one thread.
 */
abstract class CellFrame {
  static final int FIRST_CAPACITY = 256;

  private final UnsafeProjection cells; // of a row that comes in: the keys, then the values
  private final int keys;
  private final List<FrameFunction> functions = new ArrayList<>();
  private final SpecificInternalRow target;
  private final int ordinal; // of the first function's value
  private Iterator<UnsafeRow> input;
  private UnsafeRow next; // the cells of the next row that may come in, or null
  private int capacity = FIRST_CAPACITY;
  private int first; // of the rows in the frame, where their cells begin
  private int end;
  private boolean changed; // whether values are to be written

  /**
   * Creates the frame.
   *
   * @param keys what is read of a row that comes in, beside the values
   * @param input the columns of the rows
   * @param target where the values of the functions are written, from {@code ordinal} on
   */
  CellFrame(
      List<Expression> keys,
      List<CellFunctionPlan> functions,
      Seq<Attribute> input,
      SpecificInternalRow target,
      int ordinal) {
    List<Expression> read = new ArrayList<>(keys);
    for (CellFunctionPlan each : functions) {
      read.add(each.value());
      this.functions.add(each.start());
    }
    this.cells = UnsafeProjection.create(ScalaInterop.seq(read), input);
    this.keys = keys.size();
    this.target = target;
    this.ordinal = ordinal;
    this.functions.forEach(each -> each.resize(FIRST_CAPACITY));
  }

  /** Begins a series. */
  void prepare(Iterator<UnsafeRow> rows) {
    input = rows;
    first = 0;
    end = 0;
    functions.forEach(FrameFunction::clear);
    changed = true;
    readNext();
  }

  /**
   * Computes values before it is known whether their row is in a frame: Spark has projected them.
   */
  private void readNext() {
    next = input.hasNext() ? cells.apply(input.next()) : null;
  }

  /** Moves to a row, and writes the values of the functions if the frame has changed. */
  final void move(long index, UnsafeRow row) {
    moveTo(index, row);
    if (changed) {
      changed = false;
      for (int i = 0; i < functions.size(); i++) {
        functions.get(i).write(first, end, target, ordinal + i);
      }
    }
  }

  /** Takes out the rows that leave the frame, and in those that come. */
  abstract void moveTo(long index, UnsafeRow row);

  /** Returns the keys of the next row that may come in, or null after the last. */
  final UnsafeRow next() {
    return next;
  }

  /** Returns where the cells of the first row in the frame are. */
  final int first() {
    return first;
  }

  final boolean isEmpty() {
    return first == end;
  }

  /** Takes out the first row in the frame. */
  final void takeOut() {
    for (FrameFunction each : functions) {
      each.remove(first);
    }
    first++;
    changed = true;
  }

  /** Passes over the next row. */
  final void skip() {
    readNext();
  }

  /** Takes the next row in. */
  final void takeIn() {
    if (end == capacity) {
      makeRoom();
    }
    for (int i = 0; i < functions.size(); i++) {
      functions.get(i).add(end, next, keys + i);
    }
    added(end++);
    changed = true;
    readNext();
  }

  /** Moves the cells to the front of the arrays, which become larger if they are rather full. */
  private void makeRoom() {
    int length = end - first;
    for (FrameFunction each : functions) {
      each.moveToFront(first, length);
    }
    moveToFront(first, length);
    first = 0;
    end = length;
    if (length > capacity / 2) {
      capacity = Math.multiplyExact(2, capacity);
      functions.forEach(each -> each.resize(capacity));
      resize(capacity);
    }
  }

  /** Keeps the keys of the next row, whose cells are at a place. */
  void added(int at) {}

  /** Moves kept keys to the front of their arrays. */
  void moveToFront(int from, int length) {}

  /** Gives the arrays of kept keys another length, {@link #FIRST_CAPACITY} before. */
  void resize(int length) {}
}
