/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RepeatableSeries;
import io.sparkstencil.spark.catalyst.rows.RowJoiner;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowJoiner;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * A task's own rows with the results of frames. All rows, those beside its own among them, are in
 * Spark's buffer for windows, which spills.
 */
final class FrameRows extends AbstractIterator<InternalRow> {
  private final Iterator<InternalRow> rows;
  private final HaloRows counts;
  private final MovingFrames frames;
  private final OpenFrames.Moving open; // null if there are none
  private final InternalRow values; // of all of them
  private final UnsafeProjection results;
  private final UnsafeRowJoiner joiner;
  private ExternalAppendOnlyUnsafeRowArray buffer; // made when the first row is asked for
  private Iterator<UnsafeRow> buffered;
  private int index; // of the next row
  private long end; // index after the last of the task's own rows

  FrameRows(Iterator<InternalRow> rows, HaloRows counts, BoundedFrames windows) {
    this.rows = rows;
    this.counts = counts;
    this.frames = windows.closed().start();
    this.open = windows.open().isEmpty() ? null : windows.open().start();
    List<Attribute> columns = new ArrayList<>(frames.columns());
    columns.addAll(windows.open().results());
    this.values = open == null ? frames.values() : new JoinedRow(frames.values(), open.values());
    Seq<Attribute> wanted = ScalaInterop.seq(windows.results());
    this.results =
        UnsafeProjection.create(ScalaInterop.seq(windows.results()), ScalaInterop.seq(columns));
    this.joiner = RowJoiner.of(windows.schema(), DataTypeUtils.fromAttributes(wanted));
  }

  @Override
  public boolean hasNext() {
    if (buffer == null) {
      fill();
      passLeft();
    }
    if (index < end) {
      return true;
    }
    buffer.clear();
    return false;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    UnsafeRow row = buffered.next();
    move(row);
    index++;
    return joiner.join(row, results.apply(values));
  }

  private void move(UnsafeRow row) {
    frames.move(index, row);
    if (open != null) {
      open.move(index, row);
    }
  }

  /** Reads all rows that are needed. */
  private void fill() {
    buffer = RepeatableSeries.buffer();
    UnitHalo halo = counts.halo();
    for (long read = 0; rows.hasNext(); read++) {
      UnsafeRow row = (UnsafeRow) rows.next();
      // Own rows have been counted when the first row after them comes.
      if (read - counts.left() - counts.own() >= halo.following()) {
        break;
      }
      if (read >= halo.skipped()) {
        buffer.add(row);
      }
    }
    end = counts.left() - halo.skipped() + counts.own();
    frames.prepare(buffer);
    if (open != null) {
      open.prepare(buffer::generateIterator, halo.before(), halo.after());
    }
    buffered = buffer.generateIterator();
  }

  /** Goes past the rows before the task's own. */
  private void passLeft() {
    long own = end - counts.own();
    long warm = own - counts.warm();
    for (; index < own; index++) {
      UnsafeRow row = buffered.next();
      if (index >= warm) {
        move(row);
      } else {
        frames.pass(index, row);
      }
    }
  }
}
