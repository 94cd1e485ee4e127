/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Batches of columns with more columns, whose values come row by row. What comes before a row that
 * fails is a batch of its own: it may be all that the consumer wants.
 */
public final class MixedBatches extends AbstractIterator<ColumnarBatch> {
  private final Iterator<ColumnarBatch> batches;
  private final BatchPacker packer;
  private final BatchPacker.UntilFailure values;
  private final int[] places;
  private ColumnarBatch batch; // of which rows are left
  private int at; // rows of it that have been returned

  /**
   * Puts columns together.
   *
   * @param schema of the columns that come row by row
   * @param values rows of these, as many as all batches have
   * @param places for each column that is returned, which one of the batches it is, or less than 0,
   *     the first one by rows being -1
   */
  public MixedBatches(
      Iterator<ColumnarBatch> batches,
      StructType schema,
      Iterator<InternalRow> values,
      int[] places) {
    this.batches = batches;
    this.packer = new BatchPacker(schema);
    this.values = new BatchPacker.UntilFailure(values);
    this.places = places;
  }

  @Override
  public boolean hasNext() {
    return batch != null || batches.hasNext();
  }

  @Override
  public ColumnarBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    batch = batch == null ? batches.next() : batch;
    if (!values.hasNext()) {
      throw values.failure() == null
          ? new IllegalStateException("rows are missing that were counted before")
          : values.failure();
    }
    ColumnarBatch packed = packer.pack(values, batch.numRows() - at);
    int rows = packed.numRows();
    int[] selected = rows == batch.numRows() ? null : IntStream.range(at, at + rows).toArray();
    ColumnVector[] columns = new ColumnVector[places.length];
    for (int c = 0; c < columns.length; c++) {
      if (places[c] < 0) {
        columns[c] = packed.column(-1 - places[c]);
      } else {
        ColumnVector all = batch.column(places[c]);
        columns[c] = selected == null ? all : new SelectedVector(all, selected, rows);
      }
    }
    at += rows;
    if (at == batch.numRows()) {
      batch = null;
      at = 0;
    }
    return new ColumnarBatch(columns, rows);
  }
}
