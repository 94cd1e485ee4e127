/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * A frame between two keys, as {@link KeyFramePlan} says. It takes rows in and out by the same
 * comparisons as Spark's sliding frame. Of one thread.
 */
final class KeyFrame extends CellFrame {
  private final KeyType type;
  private final boolean descending;
  private final boolean nullsFirst;
  private final UnsafeProjection key; // of the current row
  private final UnsafeProjection lowerBound; // of this key
  private final UnsafeProjection upperBound;
  private long[] keys = new long[FIRST_CAPACITY]; // of the rows in the frame
  private boolean[] nulls = new boolean[FIRST_CAPACITY];

  /**
   * Creates the frame.
   *
   * @param target where the values of the functions are written, from {@code ordinal} on
   */
  KeyFrame(KeyFramePlan plan, SpecificInternalRow target, int ordinal) {
    super(List.of(plan.key()), plan.functions(), plan.input(), target, ordinal);
    this.type = KeyType.of(plan.key().dataType());
    this.descending = plan.descending();
    this.nullsFirst = plan.nullsFirst();
    this.key = UnsafeProjection.create(ScalaInterop.seqOf(plan.key()), plan.input());
    this.lowerBound = UnsafeProjection.create(ScalaInterop.seqOf(plan.lower()));
    this.upperBound = UnsafeProjection.create(ScalaInterop.seqOf(plan.upper()));
  }

  @Override
  void moveTo(long index, UnsafeRow row) {
    UnsafeRow at = key.apply(row);
    // A bound is not computed unless it is compared with: it may overflow.
    UnsafeRow lower = null;
    while (!isEmpty()) {
      lower = lower == null ? lowerBound.apply(at) : lower;
      if (compare(nulls[first()], keys[first()], lower) >= 0) {
        break;
      }
      takeOut();
    }
    UnsafeRow upper = null;
    while (next() != null) {
      upper = upper == null ? upperBound.apply(at) : upper;
      boolean isNull = next().isNullAt(0);
      long value = isNull ? 0 : type.read(next(), 0);
      if (compare(isNull, value, upper) > 0) {
        break;
      }
      lower = lower == null ? lowerBound.apply(at) : lower;
      if (compare(isNull, value, lower) >= 0) {
        takeIn();
      } else {
        skip();
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

  @Override
  void added(int at) {
    nulls[at] = next().isNullAt(0);
    keys[at] = nulls[at] ? 0 : type.read(next(), 0);
  }

  @Override
  void moveToFront(int from, int length) {
    System.arraycopy(keys, from, keys, 0, length);
    System.arraycopy(nulls, from, nulls, 0, length);
  }

  @Override
  void resize(int length) {
    keys = Arrays.copyOf(keys, length);
    nulls = Arrays.copyOf(nulls, length);
  }
}
