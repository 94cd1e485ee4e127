/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RepeatableSeries;
import io.sparkstencil.spark.catalyst.rows.RowJoiner;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowJoiner;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray;
import org.apache.spark.sql.types.StructType;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Rows of a part with the results of frames that go to the last row of the series. All wait in
 * Spark's buffer for windows, which spills.
 */
final class RestRows extends AbstractIterator<InternalRow> {
  private final Iterator<InternalRow> rows;
  private final RestFrames frames;
  private final List<InternalRow> rests;
  private final UnsafeProjection packing;
  private final UnsafeRowJoiner joiner;
  private ExternalAppendOnlyUnsafeRowArray kept; // made when the first row is asked for
  private Iterator<UnsafeRow> waiting;

  /**
   * Creates the rows.
   *
   * @param rows in order, each valid until the next is asked for
   * @param rests the buffers of the rows after these, for each of the specs
   */
  RestRows(Iterator<InternalRow> rows, List<RestSpec> specs, List<InternalRow> rests) {
    this.rows = rows;
    this.frames = new RestFrames(specs);
    this.rests = rests;
    StructType results = DataTypeUtils.fromAttributes(ScalaInterop.seq(frames.columns()));
    this.packing = UnsafeProjection.create(results);
    this.joiner = RowJoiner.of(DataTypeUtils.fromAttributes(specs.get(0).input()), results);
  }

  @Override
  public boolean hasNext() {
    if (kept == null) {
      kept = RepeatableSeries.buffer();
      rows.foreach(
          row -> {
            kept.add((UnsafeRow) row);
            return null;
          });
      frames.prepare(kept, rests);
      waiting = kept.generateIterator();
    }
    if (waiting.hasNext()) {
      return true;
    }
    kept.clear();
    return false;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    frames.move();
    return joiner.join(waiting.next(), packing.apply(frames.values()));
  }
}
