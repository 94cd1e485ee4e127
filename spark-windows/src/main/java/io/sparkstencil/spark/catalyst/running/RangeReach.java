/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.RangeBound;
import io.sparkstencil.spark.catalyst.shuffle.RangeExtent;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * How far frames reach by keys.
 *
 * @param frames those that do
 * @param keys the order of keys
 * @param descending whether that is descending
 */
record RangeReach(List<FrameReach> frames, Comparator<InternalRow> keys, boolean descending) {

  /**
   * Tells whether later keys have later bounds, but for what {@link RangeBound#inversionMicros}
   * says, and no bound fails: where that is so for the first key and the last, no sum between them
   * has left its type.
   */
  boolean isMonotone(RangeExtent all) {
    return frames.stream()
        .allMatch(each -> isMonotone(each.lower(), all) && isMonotone(each.upper(), all));
  }

  private boolean isMonotone(RangeBound bound, RangeExtent all) {
    try {
      InternalRow first = bound.at(all.first());
      InternalRow last = bound.at(all.last());
      return !first.isNullAt(0) && !last.isNullAt(0) && keys.compare(first, last) <= 0;
    } catch (RuntimeException outOfType) {
      return false;
    }
  }

  /** Returns the keys that are needed beside rows between two keys. */
  KeyInterval beside(RangeExtent own) {
    long micros = frames.stream().mapToLong(RangeReach::inversionMicros).max().orElseThrow();
    long back = descending ? micros : -micros;
    return new KeyInterval(
        outermost(FrameReach::lower, own.first(), back, keys),
        outermost(FrameReach::upper, own.last(), -back, keys.reversed()),
        micros > 0,
        shifted(own.first(), 2 * back));
  }

  private static long inversionMicros(FrameReach frame) {
    return Math.max(frame.lower().inversionMicros(), frame.upper().inversionMicros());
  }

  /** Returns the bound of a key that comes first in an order; null if one leaves its type. */
  private InternalRow outermost(
      Function<FrameReach, RangeBound> bounds,
      InternalRow key,
      long micros,
      Comparator<InternalRow> order) {
    List<InternalRow> all = frames.stream().map(bounds).map(each -> at(each, key, micros)).toList();
    return all.stream().anyMatch(Objects::isNull) ? null : all.stream().min(order).orElseThrow();
  }

  private static InternalRow at(RangeBound bound, InternalRow key, long micros) {
    InternalRow beside = shifted(key, micros);
    try {
      InternalRow found = beside == null ? null : bound.at(beside);
      return found == null || found.isNullAt(0) ? null : found;
    } catch (RuntimeException outOfType) {
      return null;
    }
  }

  /** Returns a key that lies so far after another, which is a time; null if there is none. */
  private static InternalRow shifted(InternalRow key, long micros) {
    try {
      return RangeBound.shifted(key, micros);
    } catch (ArithmeticException outOfType) {
      return null;
    }
  }
}
