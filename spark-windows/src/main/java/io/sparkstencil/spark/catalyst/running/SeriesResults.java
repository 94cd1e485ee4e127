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
import org.apache.spark.sql.types.DataType;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * Rows of series with the results of their windows. Frames that end with the series are gone
 * through when it begins, those that end with the last row that ties when its first row comes.
 */
final class SeriesResults extends AbstractIterator<InternalRow> {
  private final RowSource source;
  private final SourceRows cursor;
  private final SpecificInternalRow buffer;
  private final MutableProjection initial;
  private final MutableProjection wholes; // null where no frame has that extent, like the next two
  private final MutableProjection ties;
  private final MutableProjection rows;
  private final boolean sized;
  private final MovingFrames others; // null if there are none, like the next
  private final RestFrames rests;
  private final List<InternalRow> noRests; // the buffers of no rows for these
  private ExternalAppendOnlyUnsafeRowArray series; // for them
  private int index; // of the next row in its series
  private final UnsafeProjection evaluate;
  private final UnsafeRowJoiner joiner;
  private final Comparator<InternalRow> order;
  private final JoinedRow joined = new JoinedRow();
  private final JoinedRow found = new JoinedRow(); // the buffer, and values of other frames
  private Iterator<UnsafeRow> ahead; // from the first row on that does not tie with those before
  private UnsafeRow next; // row of `ahead`
  private long tied; // rows to come whose ties have been gone through
  private UnsafeRow results;
  private boolean begun; // whether a row has been returned

  /**
   * Creates the rows.
   *
   * @param source has whole series, unless all frames end with the row and none depends on sizes
   */
  SeriesResults(SeriesFrames frames, RowSource source) {
    this.source = source;
    this.cursor = new SourceRows(source);
    DataType[] types =
        frames.buffer().columns().stream().map(Attribute::dataType).toArray(DataType[]::new);
    this.buffer = Buffers.of(types, new Object[types.length]);
    found.withLeft(buffer);
    this.initial =
        projection(frames.buffer().initial(), ScalaInterop.seq(frames.buffer().columns()));
    this.wholes = update(frames, FrameExtent.SERIES);
    this.ties = update(frames, FrameExtent.TIES);
    this.rows = update(frames, FrameExtent.ROWS);
    this.sized = frames.buffer().sized();
    this.others = frames.others().isEmpty() ? null : frames.others().start();
    List<Attribute> columns = new ArrayList<>(frames.buffer().columns());
    if (others != null) {
      columns.addAll(others.columns());
    }
    this.rests = frames.rests().isEmpty() ? null : new RestFrames(frames.rests());
    if (rests != null) {
      columns.addAll(rests.columns());
    }
    InternalRow none = new GenericInternalRow(0);
    found.withRight(
        new JoinedRow(
            others == null ? none : others.values(), rests == null ? none : rests.values()));
    this.noRests = frames.rests().stream().map(RestSpec::none).toList();
    this.evaluate =
        UnsafeProjection.create(ScalaInterop.seq(frames.evaluate()), ScalaInterop.seq(columns));
    this.joiner =
        RowJoiner.of(
            DataTypeUtils.fromAttributes(frames.input()),
            DataTypeUtils.fromAttributes(ScalaInterop.seq(frames.results())));
    this.order = ties == null ? null : frames.order().comparator();
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
    boolean more = cursor.hasNext();
    if (!more && series != null) {
      series.clear();
    }
    return more;
  }

  @Override
  public InternalRow next() {
    cursor.next();
    UnsafeRow row = source.row();
    boolean starts = !begun || source.startsSeries();
    boolean changed = starts || rows != null || keeps();
    if (starts) {
      begun = true;
      start();
    }
    if (ties != null && tied-- == 0) {
      takeTies(row);
      changed = true;
    }
    if (rows != null) {
      rows.apply(joined.apply(buffer, row));
    }
    if (others != null) {
      others.move(index++, row);
    }
    if (rests != null) {
      rests.move();
    }
    if (changed) {
      results = evaluate.apply(found);
    }
    return joiner.join(row, results);
  }

  private void start() {
    WholeSeries whole = source.series();
    if (sized) {
      buffer.setInt(0, (int) whole.size());
    }
    initial.apply(buffer);
    if (wholes != null) {
      Iterator<UnsafeRow> all = whole.rows();
      while (all.hasNext()) {
        wholes.apply(joined.apply(buffer, all.next()));
      }
    }
    if (ties != null) {
      ahead = whole.rows();
      next = ahead.next();
      tied = 0;
    }
    if (keeps()) {
      keep(whole);
    }
  }

  /** Tells whether there are frames that look at all rows of a series. */
  private boolean keeps() {
    return others != null || rests != null;
  }

  /** Shows a series to such frames, and keeps it for those that ask for Spark's buffer. */
  private void keep(WholeSeries whole) {
    index = 0;
    if (rests == null && others.goThroughArrays()) {
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
    if (others != null) {
      others.prepare(series);
    }
    if (rests != null) {
      rests.prepare(series, noRests);
    }
  }

  /** Takes all rows that tie with {@code first}, this one among them, into the frames. */
  private void takeTies(UnsafeRow first) {
    tied = -1;
    do {
      ties.apply(joined.apply(buffer, next));
      tied++;
      next = ahead.hasNext() ? ahead.next() : null;
    } while (next != null && order.compare(first, next) == 0);
  }
}
