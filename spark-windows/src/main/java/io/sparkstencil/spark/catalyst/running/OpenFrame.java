/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.Buffers;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import scala.collection.Iterator;

/** A frame with one bound that moves over rows of a series. Of one task. */
sealed interface OpenFrame {
  /**
   * Begins with rows that follow each other.
   *
   * @param all the rows, which may be gone through twice
   * @param beyond the buffers of the rows before them where frames begin with the first row of the
   *     series, else of those after them
   */
  void prepare(Supplier<Iterator<UnsafeRow>> all, InternalRow beyond);

  /**
   * Moves to a row, whose bound is not before that of the last one.
   *
   * @return the results, which the next call overwrites
   */
  UnsafeRow move(long index, UnsafeRow row);

  /** A frame from the first row of the series to a bound. */
  final class Growing implements OpenFrame {
    private final DataType[] types;
    private final BoundOrder order;
    private final MutableProjection update;
    private final UnsafeProjection evaluate;
    private final JoinedRow joined = new JoinedRow();
    private SpecificInternalRow buffer;
    private Iterator<UnsafeRow> rows;
    private UnsafeRow next; // or null
    private long nextIndex;
    private UnsafeRow results; // null before the first row

    Growing(RestSpec spec, BoundOrder order) {
      this.types = spec.buffers().types();
      this.order = order;
      this.update = spec.update();
      this.evaluate =
          UnsafeProjection.create(
              ScalaInterop.seq(spec.evaluate()), ScalaInterop.seq(spec.buffers().columns()));
    }

    @Override
    public void prepare(Supplier<Iterator<UnsafeRow>> all, InternalRow before) {
      buffer = Buffers.of(types, Buffers.values(before, types, 0, types.length));
      update.target(buffer);
      rows = all.get();
      next = rows.hasNext() ? rows.next() : null;
      nextIndex = 0;
      results = null;
    }

    @Override
    public UnsafeRow move(long index, UnsafeRow row) {
      order.moveTo(index, row);
      boolean changed = results == null;
      while (next != null && order.compare(next, nextIndex) <= 0) {
        update.apply(joined.apply(buffer, next));
        next = rows.hasNext() ? rows.next() : null;
        nextIndex++;
        changed = true;
      }
      if (changed) {
        results = evaluate.apply(buffer);
      }
      return results;
    }
  }

  /** A frame from a bound to the last row of the series. */
  final class Shrinking implements OpenFrame {
    private final BoundOrder order;
    private final RestFrame rest;
    private long first; // index of the first row of the frame
    private UnsafeRow results; // null before the first row

    Shrinking(RestSpec spec, BoundOrder order) {
      this.order = order;
      this.rest = new RestFrame(spec);
    }

    @Override
    public void prepare(Supplier<Iterator<UnsafeRow>> all, InternalRow after) {
      rest.prepare(all, after);
      first = 0;
      results = null;
    }

    @Override
    public UnsafeRow move(long index, UnsafeRow row) {
      order.moveTo(index, row);
      boolean changed = results == null;
      while (rest.hasNext() && order.compare(rest.peek(), first) < 0) {
        rest.skip();
        first++;
        changed = true;
      }
      if (changed) {
        results = rest.peekResults();
      }
      return results;
    }
  }
}
