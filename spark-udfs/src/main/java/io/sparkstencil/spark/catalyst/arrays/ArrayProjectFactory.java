/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Makes the evaluators of the batched operator's tasks, by what comes in. */
final class ArrayProjectFactory {
  private ArrayProjectFactory() {}

  /** For rows. */
  record OfRows(ArrayProjectTask task)
      implements PartitionEvaluatorFactory<InternalRow, InternalRow> {
    @Override
    public PartitionEvaluator<InternalRow, InternalRow> createEvaluator() {
      return (partition, inputs) -> task.run(partition, inputs.apply(0));
    }
  }

  /** For columnar batches. */
  record OfColumns(ArrayProjectTask task)
      implements PartitionEvaluatorFactory<ColumnarBatch, InternalRow> {
    @Override
    public PartitionEvaluator<ColumnarBatch, InternalRow> createEvaluator() {
      return (partition, inputs) -> task.runColumnar(partition, inputs.apply(0));
    }
  }
}
