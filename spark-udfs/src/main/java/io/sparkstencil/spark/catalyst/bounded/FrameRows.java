/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.bounded;

import io.sparkstencil.spark.catalyst.frames.MovingFrames;
import io.sparkstencil.spark.catalyst.frames.WindowFrames;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.RepeatableSeries;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeRowJoiner;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowJoiner;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray;
import org.apache.spark.sql.types.StructType;
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
  private final UnsafeProjection results;
  private final UnsafeRowJoiner joiner;
  private ExternalAppendOnlyUnsafeRowArray buffer; // made when the first row is asked for
  private Iterator<UnsafeRow> buffered;
  private int index; // of the next row
  private long end; // index after the last of the task's own rows

  FrameRows(Iterator<InternalRow> rows, HaloRows counts, WindowFrames windows, StructType schema) {
    this.rows = rows;
    this.counts = counts;
    this.frames = windows.start();
    Seq<Attribute> wanted = ScalaInterop.seq(windows.results());
    this.results =
        UnsafeProjection.create(
            ScalaInterop.seq(windows.results()), ScalaInterop.seq(frames.columns()));
    this.joiner = GenerateUnsafeRowJoiner.create(schema, DataTypeUtils.fromAttributes(wanted));
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
    frames.move(index, row);
    index++;
    return joiner.join(row, results.apply(frames.values()));
  }

  /** Reads all rows that are needed. */
  private void fill() {
    buffer = RepeatableSeries.buffer();
    Halo halo = counts.halo();
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
    buffered = buffer.generateIterator();
  }

  /** Goes past the rows before the task's own. */
  private void passLeft() {
    long own = end - counts.own();
    long warm = own - counts.warm();
    for (; index < own; index++) {
      UnsafeRow row = buffered.next();
      if (index >= warm) {
        frames.move(index, row);
      } else {
        frames.pass(index, row);
      }
    }
  }
}
