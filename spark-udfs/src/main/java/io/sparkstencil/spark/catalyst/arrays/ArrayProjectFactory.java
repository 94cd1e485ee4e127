/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.sql.catalyst.InternalRow;

/** Makes the evaluators of the batched operator's tasks. */
record ArrayProjectFactory(ArrayProjectTask task)
    implements PartitionEvaluatorFactory<InternalRow, InternalRow> {
  @Override
  public PartitionEvaluator<InternalRow, InternalRow> createEvaluator() {
    return (partition, inputs) -> task.run(partition, inputs.apply(0));
  }
}
