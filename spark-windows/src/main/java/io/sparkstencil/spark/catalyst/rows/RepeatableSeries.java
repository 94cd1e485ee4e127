/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.lines.SparkLine;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray;
import scala.collection.Iterator;

/**
 * The rows of a source, each of whose series can be gone through again. A series whose rows the
 * source has only once is kept in Spark's buffer for windows, which spills.
 */
public final class RepeatableSeries implements RowSource {
  private final RowSource source;
  private ExternalAppendOnlyUnsafeRowArray kept; // the current series, if it is not the source's
  private WholeSeries series;
  private Iterator<UnsafeRow> rows = ScalaInterop.noElements(); // of what is kept
  private UnsafeRow row;
  private boolean begun; // whether a row has been returned
  private boolean ahead; // whether the source is at the first row of the next series
  private boolean starts;

  /** Goes through a source, all of whose rows belong to the result. */
  public RepeatableSeries(RowSource source) {
    this.source = source;
  }

  @Override
  public boolean advance() {
    starts = false;
    if (rows.hasNext()) {
      row = rows.next();
      return true;
    }
    if (!ahead && !source.advance()) {
      return false;
    }
    ahead = false;
    row = source.row();
    if (begun && !source.startsSeries()) {
      return true;
    }
    starts = begun;
    begun = true;
    series = source.series();
    if (series == null) {
      keep();
    }
    return true;
  }

  /** Reads the rest of a series. */
  private void keep() {
    if (kept == null) {
      kept = buffer();
    }
    kept.clear();
    kept.add(row);
    while (!ahead && source.advance()) {
      ahead = source.startsSeries();
      if (!ahead) {
        kept.add(source.row());
      }
    }
    series = new Kept();
    rows = series.rows();
    row = rows.next();
  }

  /** Returns Spark's buffer for windows. */
  public static ExternalAppendOnlyUnsafeRowArray buffer() {
    return SparkLine.windowBuffer();
  }

  @Override
  public UnsafeRow row() {
    return row;
  }

  @Override
  public WholeSeries series() {
    return series;
  }

  @Override
  public boolean startsSeries() {
    return starts;
  }

  /** The series that is kept. */
  private final class Kept implements WholeSeries {
    @Override
    public long size() {
      return kept.length();
    }

    @Override
    public Iterator<UnsafeRow> rows() {
      return kept.generateIterator();
    }
  }
}
