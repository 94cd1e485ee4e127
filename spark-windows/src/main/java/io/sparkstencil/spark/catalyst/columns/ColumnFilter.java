/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Predicate$;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Seq;

/**
 * Leaves out the rows of batches for which a condition is not true. The others stay where they are;
 * a batch lasts until the next is asked for.
 */
public final class ColumnFilter implements PartitionEvaluatorFactory<ColumnarBatch, ColumnarBatch> {
  private static final long serialVersionUID = 1L;

  private final Expression condition;
  private final Seq<Attribute> input;
  private final SQLMetric accepted;

  /**
   * Creates the filter.
   *
   * @param condition a deterministic condition
   * @param input the columns of the batches
   * @param accepted counts the rows for which it is true
   */
  public ColumnFilter(Expression condition, Seq<Attribute> input, SQLMetric accepted) {
    this.condition = condition;
    this.input = input;
    this.accepted = accepted;
  }

  @Override
  public PartitionEvaluator<ColumnarBatch, ColumnarBatch> createEvaluator() {
    return (partition, inputs) -> {
      BasePredicate predicate = Predicate$.MODULE$.create(condition, input);
      predicate.initialize(partition);
      Selection selection = new Selection(predicate);
      return inputs.apply(0).map(selection::of).filter(batch -> batch.numRows() > 0);
    };
  }

  private final class Selection {
    private final BasePredicate predicate;
    private int[] rows = new int[0];

    Selection(BasePredicate predicate) {
      this.predicate = predicate;
    }

    ColumnarBatch of(ColumnarBatch batch) {
      int count = batch.numRows();
      if (rows.length < count) {
        rows = new int[count];
      }
      int selected = 0;
      for (int i = 0; i < count; i++) {
        if (predicate.eval(batch.getRow(i))) {
          rows[selected++] = i;
        }
      }
      accepted.add(selected);
      if (selected == count) {
        return batch;
      }
      ColumnVector[] columns = new ColumnVector[batch.numCols()];
      for (int c = 0; c < columns.length; c++) {
        columns[c] = new SelectedVector(batch.column(c), rows, selected);
      }
      return new ColumnarBatch(columns, selected);
    }
  }
}
