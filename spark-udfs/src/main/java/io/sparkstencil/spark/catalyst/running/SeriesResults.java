/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.SourceRows;
import io.sparkstencil.spark.catalyst.rows.WholeSeries;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeRowJoiner;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowJoiner;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
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
  private final UnsafeProjection evaluate;
  private final UnsafeRowJoiner joiner;
  private final Comparator<InternalRow> order;
  private final JoinedRow joined = new JoinedRow();
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
    DataType[] types = frames.columns().stream().map(Attribute::dataType).toArray(DataType[]::new);
    this.buffer = Buffers.of(types, new Object[types.length]);
    this.initial = projection(frames.initial(), ScalaInterop.seq(frames.columns()));
    this.wholes = update(frames, Extent.SERIES);
    this.ties = update(frames, Extent.TIES);
    this.rows = update(frames, Extent.ROWS);
    this.sized = frames.sized();
    this.evaluate =
        UnsafeProjection.create(
            ScalaInterop.seq(frames.evaluate()), ScalaInterop.seq(frames.columns()));
    this.joiner =
        GenerateUnsafeRowJoiner.create(
            DataTypeUtils.fromAttributes(frames.input()),
            DataTypeUtils.fromAttributes(ScalaInterop.seq(frames.results())));
    this.order = ties == null ? null : frames.order().comparator();
  }

  private MutableProjection update(SeriesFrames frames, Extent extent) {
    List<Expression> updates = frames.updates().get(extent);
    return updates == null
        ? null
        : projection(
            updates, ScalaInterop.concat(ScalaInterop.seq(frames.columns()), frames.input()));
  }

  private MutableProjection projection(List<Expression> values, Seq<Attribute> columns) {
    return MutableProjection.create(ScalaInterop.seq(values), columns).target(buffer);
  }

  @Override
  public boolean hasNext() {
    return cursor.hasNext();
  }

  @Override
  public InternalRow next() {
    cursor.next();
    UnsafeRow row = source.row();
    boolean starts = !begun || source.startsSeries();
    boolean changed = starts || rows != null;
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
    if (changed) {
      results = evaluate.apply(buffer);
    }
    return joiner.join(row, results);
  }

  private void start() {
    WholeSeries series = sized || wholes != null || ties != null ? source.series() : null;
    if (sized) {
      buffer.setInt(0, (int) series.size());
    }
    initial.apply(buffer);
    if (wholes != null) {
      Iterator<UnsafeRow> all = series.rows();
      while (all.hasNext()) {
        wholes.apply(joined.apply(buffer, all.next()));
      }
    }
    if (ties != null) {
      ahead = series.rows();
      next = ahead.next();
      tied = 0;
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
