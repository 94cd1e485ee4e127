/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.BufferProjection;
import io.sparkstencil.spark.catalyst.frames.Buffers;
import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RepeatableSeries;
import io.sparkstencil.spark.catalyst.rows.RowJoiner;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.SourceRows;
import io.sparkstencil.spark.catalyst.rows.WholeSeries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowJoiner;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * Rows of series with the results of their windows. Frames that end with the series are gone
 * through when it begins, those that end with the last row that ties when its first row comes. Rows
 * that tie wait for that, on disk where they are many.
 */
final class SeriesResults extends AbstractIterator<InternalRow> {
  private final RowSource source;
  private final SourceRows cursor;
  private final SpecificInternalRow buffer;
  private final MutableProjection initial; // null where a range goes on from those before
  private final MutableProjection wholes; // null where no frame has that extent, like the next two
  private final MutableProjection ties;
  private final MutableProjection rows;
  private final boolean sized;
  private final MovingFrames others; // null if there are none, like the next
  private final OpenFrames.Moving rests;
  private final InternalRow after; // the buffers of the rows after a range for these, or null
  private ExternalAppendOnlyUnsafeRowArray series; // for Spark's frames among others
  private int index; // of the next row in its series, for frames that look at all of its rows
  private final UnsafeProjection evaluate;
  private final UnsafeRowJoiner joiner;
  private final Comparator<InternalRow> order;
  private final JoinedRow joined = new JoinedRow();
  private final JoinedRow found = new JoinedRow(); // the buffer, and values of other frames
  private final UnsafeRow first; // copy of the first of the rows that tie
  private ExternalAppendOnlyUnsafeRowArray tied; // made when the first rows tie
  private Iterator<UnsafeRow> waiting = ScalaInterop.noElements();
  private long left; // rows of the series after those that have been read, if that is known
  private UnsafeRow results;
  private boolean begun; // whether a row has been returned

  /**
   * Creates the rows.
   *
   * @param source has whole series where frames look at all rows of one
   * @param start what a range of one series goes on from; null if each series begins afresh
   */
  SeriesResults(SeriesFrames frames, RowSource source, RunningStart start) {
    this.source = source;
    this.cursor = new SourceRows(source);
    SeriesBuffer all = frames.buffer();
    BufferCursor from = new BufferCursor(frames.types());
    int width = all.columns().size();
    this.buffer =
        Buffers.of(
            all.types(), start == null ? new Object[width] : from.take(start.buffers(), width));
    found.withLeft(buffer);
    this.initial =
        start == null ? projection(all.initial(), ScalaInterop.seq(all.columns())) : null;
    this.wholes = start == null ? update(frames, FrameExtent.SERIES) : null;
    this.ties = update(frames, FrameExtent.TIES);
    this.rows = update(frames, FrameExtent.ROWS);
    this.sized = start == null && all.sized();
    this.others = frames.others().isEmpty() ? null : frames.others().start();
    List<Attribute> columns = new ArrayList<>(all.columns());
    if (others != null) {
      columns.addAll(others.columns());
    }
    this.rests = frames.rests().isEmpty() ? null : frames.rests().start();
    columns.addAll(frames.rests().results());
    InternalRow none = new GenericInternalRow(0);
    found.withRight(
        new JoinedRow(
            others == null ? none : others.values(), rests == null ? none : rests.values()));
    int rest = frames.types().length - width;
    this.after = start == null ? null : new GenericInternalRow(from.take(start.buffers(), rest));
    this.evaluate =
        UnsafeProjection.create(ScalaInterop.seq(frames.evaluate()), ScalaInterop.seq(columns));
    this.joiner =
        RowJoiner.of(
            DataTypeUtils.fromAttributes(frames.input()),
            DataTypeUtils.fromAttributes(ScalaInterop.seq(frames.results())));
    this.order = ties == null ? null : frames.order().comparator();
    this.first = UnsafeRow.createFromByteArray(64, frames.input().size());
  }

  private MutableProjection update(SeriesFrames frames, FrameExtent extent) {
    List<Expression> updates = frames.buffer().updates().get(extent);
    return updates == null
        ? null
        : projection(
            updates,
            ScalaInterop.concat(ScalaInterop.seq(frames.buffer().columns()), frames.input()));
  }

  private MutableProjection projection(List<Expression> values, Seq<Attribute> columns) {
    return BufferProjection.of(values, columns).target(buffer);
  }

  @Override
  public boolean hasNext() {
    boolean more = waiting.hasNext() || cursor.hasNext();
    if (!more && series != null) {
      series.clear();
    }
    if (!more && tied != null) {
      tied.clear();
    }
    return more;
  }

  @Override
  public InternalRow next() {
    UnsafeRow row;
    boolean changed = rows != null || keeps();
    if (waiting.hasNext()) {
      row = waiting.next();
    } else {
      row = (UnsafeRow) cursor.next();
      if (!begun || source.startsSeries()) {
        begun = true;
        changed = true;
        start();
      }
      if (ties != null) {
        row = takeTies(row);
        changed = true;
      }
    }
    if (rows != null) {
      rows.apply(joined.apply(buffer, row));
    }
    if (others != null) {
      others.move(index, row);
    }
    if (rests != null) {
      rests.move(index, row);
    }
    index++;
    if (changed) {
      results = evaluate.apply(found);
    }
    return joiner.join(row, results);
  }

  private void start() {
    WholeSeries whole = source.series();
    left = whole == null ? Long.MAX_VALUE : whole.size();
    if (sized) {
      buffer.setInt(0, (int) whole.size());
    }
    if (initial != null) {
      initial.apply(buffer);
    }
    if (wholes != null) {
      Iterator<UnsafeRow> all = whole.rows();
      while (all.hasNext()) {
        wholes.apply(joined.apply(buffer, all.next()));
      }
    }
    index = 0;
    if (others != null) {
      show(whole);
    }
    if (rests != null) {
      rests.prepare(whole::rows, null, after);
    }
  }

  /** Tells whether there are frames that look at all rows of a series. */
  private boolean keeps() {
    return others != null || rests != null;
  }

  /** Shows a series to frames that move, of which Spark's ask for its buffer. */
  private void show(WholeSeries whole) {
    if (others.goThroughArrays()) {
      others.prepare(whole);
      return;
    }
    if (series == null) {
      series = RepeatableSeries.buffer();
    }
    series.clear();
    Iterator<UnsafeRow> all = whole.rows();
    while (all.hasNext()) {
      series.add(all.next());
    }
    others.prepare(series);
  }

  /** Takes a row and all that tie with it into the frames; returns the row. */
  private UnsafeRow takeTies(UnsafeRow row) {
    first.copyFrom(row); // asking for more rows overwrites it
    take(first);
    if (!hasTie()) {
      return first;
    }
    if (tied == null) {
      tied = RepeatableSeries.buffer();
    }
    tied.clear();
    tied.add(first);
    do {
      UnsafeRow tie = (UnsafeRow) cursor.next();
      take(tie);
      tied.add(tie);
    } while (hasTie());
    waiting = tied.generateIterator();
    return waiting.next();
  }

  private void take(UnsafeRow row) {
    ties.apply(joined.apply(buffer, row));
    left--;
  }

  /** Looks at the next row, unless a series that frames still read ends here. */
  private boolean hasTie() {
    return left > 0
        && cursor.hasNext()
        && !source.startsSeries()
        && order.compare(first, source.row()) == 0;
  }
}
