/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.error.Cancellation;
import java.util.Collections;
import java.util.NoSuchElementException;
import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Shows columns as rows that read their values there, for consumers that need no more of a row.
 * Each row is valid until the next is asked for.
 *
 * @param batches counts the batches
 * @param rows counts the rows
 */
public record RowViews(SQLMetric batches, SQLMetric rows)
    implements PartitionEvaluatorFactory<ColumnarBatch, InternalRow> {
  private static final long serialVersionUID = 1L;

  @Override
  public PartitionEvaluator<ColumnarBatch, InternalRow> createEvaluator() {
    return (partition, inputs) -> new Views(inputs.apply(0));
  }

  private final class Views extends AbstractIterator<InternalRow> {
    private final Iterator<ColumnarBatch> input;
    private java.util.Iterator<InternalRow> ofBatch = Collections.emptyIterator();

    Views(Iterator<ColumnarBatch> input) {
      this.input = input;
    }

    @Override
    public boolean hasNext() {
      while (!ofBatch.hasNext()) {
        if (!input.hasNext()) {
          return false;
        }
        ColumnarBatch batch = input.next();
        requireValues(batch);
        ofBatch = batch.rowIterator();
        batches.add(1);
        Cancellation.ask();
        rows.add(batch.numRows());
      }
      return true;
    }

    @Override
    public InternalRow next() {
      if (!ofBatch.hasNext() && !hasNext()) {
        throw new NoSuchElementException();
      }
      return ofBatch.next();
    }
  }

  /** Has values fail that do so when they are looked at, which the consumer may not do. */
  private static void requireValues(ColumnarBatch batch) {
    for (int c = 0; c < batch.numCols(); c++) {
      ColumnVector column = batch.column(c);
      for (int row = 0; ChunkResults.mayFail(column) && row < batch.numRows(); row++) {
        column.isNullAt(row);
      }
    }
  }
}
