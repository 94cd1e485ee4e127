/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray;
import scala.collection.Iterator;

/**
 * A frame between two keys, as {@link KeyFramePlan} says. It takes rows in and out by the same
 * comparisons, in the same order, as Spark's sliding frame, but keeps their keys and the values
 * that are computed with in arrays. Of one thread.
 */
final class KeyFrame {
  private static final int FIRST_CAPACITY = 256;

  private final KeyType type;
  private final boolean descending;
  private final boolean nullsFirst;
  private final UnsafeProjection cells; // of a row that comes in: its key and its values
  private final UnsafeProjection key; // of the current row
  private final UnsafeProjection lowerBound; // of this key
  private final UnsafeProjection upperBound;
  private final List<CellFunction> functions = new ArrayList<>();
  private final SpecificInternalRow target;
  private final int ordinal; // of the first function's value
  private Iterator<UnsafeRow> input;
  private UnsafeRow next; // the cells of the next row that may come in, or null
  private long[] keys = new long[FIRST_CAPACITY]; // of the rows in the frame
  private boolean[] nulls = new boolean[FIRST_CAPACITY];
  private int first; // where these begin
  private int end;
  private boolean begun; // whether values have been written for this series

  /**
   * Creates the frame.
   *
   * @param target where the values of the functions are written, from {@code ordinal} on
   */
  KeyFrame(KeyFramePlan plan, SpecificInternalRow target, int ordinal) {
    this.type = KeyType.of(plan.key().dataType());
    this.descending = plan.descending();
    this.nullsFirst = plan.nullsFirst();
    List<Expression> read = new ArrayList<>(List.of(plan.key()));
    for (CellFunctionPlan each : plan.functions()) {
      read.add(each.value());
      functions.add(each.start());
    }
    this.cells = UnsafeProjection.create(ScalaInterop.seq(read), plan.input());
    this.key = UnsafeProjection.create(ScalaInterop.seqOf(plan.key()), plan.input());
    this.lowerBound = UnsafeProjection.create(ScalaInterop.seqOf(plan.lower()));
    this.upperBound = UnsafeProjection.create(ScalaInterop.seqOf(plan.upper()));
    this.target = target;
    this.ordinal = ordinal;
    functions.forEach(each -> each.resize(FIRST_CAPACITY));
  }

  /** Begins a series. */
  void prepare(ExternalAppendOnlyUnsafeRowArray rows) {
    input = rows.generateIterator();
    first = 0;
    end = 0;
    functions.forEach(CellFunction::clear);
    begun = false;
    readNext();
  }

  /**
   * Computes values before it is known whether their row is in a frame: Spark has projected them.
   */
  private void readNext() {
    next = input.hasNext() ? cells.apply(input.next()) : null;
  }

  /** Moves to a row, and writes the values of the functions if the frame has changed. */
  void move(UnsafeRow row) {
    boolean changed = !begun;
    begun = true;
    UnsafeRow at = key.apply(row);
    // A bound is not computed unless it is compared with: it may overflow.
    UnsafeRow lower = null;
    while (first < end) {
      lower = lower == null ? lowerBound.apply(at) : lower;
      if (compare(nulls[first], keys[first], lower) >= 0) {
        break;
      }
      takeOut();
      changed = true;
    }
    UnsafeRow upper = null;
    while (next != null) {
      upper = upper == null ? upperBound.apply(at) : upper;
      boolean isNull = next.isNullAt(0);
      long value = isNull ? 0 : type.read(next, 0);
      if (compare(isNull, value, upper) > 0) {
        break;
      }
      lower = lower == null ? lowerBound.apply(at) : lower;
      if (compare(isNull, value, lower) >= 0) {
        takeIn(isNull, value);
        changed = true;
      }
      readNext();
    }
    if (changed) {
      for (int i = 0; i < functions.size(); i++) {
        functions.get(i).write(first, end, target, ordinal + i);
      }
    }
  }

  /** Compares a key with a bound in the order of the rows. */
  private int compare(boolean isNull, long value, UnsafeRow bound) {
    boolean isBoundNull = bound.isNullAt(0);
    if (isNull || isBoundNull) {
      int nullBefore = nullsFirst ? -1 : 1;
      return isNull && isBoundNull ? 0 : isNull ? nullBefore : -nullBefore;
    }
    long that = type.read(bound, 0);
    return descending ? Long.compare(that, value) : Long.compare(value, that);
  }

  private void takeOut() {
    for (CellFunction each : functions) {
      each.remove(first);
    }
    first++;
  }

  private void takeIn(boolean isNull, long value) {
    if (end == keys.length) {
      makeRoom();
    }
    keys[end] = value;
    nulls[end] = isNull;
    for (int i = 0; i < functions.size(); i++) {
      functions.get(i).add(end, next, i + 1);
    }
    end++;
  }

  /** Moves the cells to the front of the arrays, which become larger if they are rather full. */
  private void makeRoom() {
    int length = end - first;
    System.arraycopy(keys, first, keys, 0, length);
    System.arraycopy(nulls, first, nulls, 0, length);
    for (CellFunction each : functions) {
      each.moveToFront(first, length);
    }
    first = 0;
    end = length;
    if (length > keys.length / 2) {
      int capacity = Math.multiplyExact(2, keys.length);
      keys = Arrays.copyOf(keys, capacity);
      nulls = Arrays.copyOf(nulls, capacity);
      functions.forEach(each -> each.resize(capacity));
    }
  }
}
