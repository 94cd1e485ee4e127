/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.spark.arrays.ArrayPlan;
import io.sparkstencil.spark.arrays.ArrayResults;
import io.sparkstencil.spark.arrays.ArrayRow;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * Evaluates an array function on one array at a time, on the CPU: one array is no work for a GPU,
 * and there is no end of a task at which an evaluator could return a GPU's memory.
 */
final class ArrayEvaluator implements ArrayCall.Evaluator {
  private static final long serialVersionUID = 1L;
  private static final UnsafeRow NO_RESULT = ArrayRowWriter.nulls(1);

  private final ArrayPlan plan;
  private final ArrayDataReader reader;
  private transient PartitionPipeline<ArrayData, UnsafeRow, UnsafeArrayData> pipeline;
  private transient ArrayRowWriter writer;

  ArrayEvaluator(ArrayExpression expression) {
    reader = ArrayDataReader.of(0, expression.array().dataType());
    plan =
        ArrayPlan.of(
            List.of(reader.type()),
            List.of(new ArrayPlan.InputOperation(0, expression.operation())));
  }

  @Override
  public synchronized UnsafeArrayData evaluate(Object value) {
    if (pipeline == null) {
      int elementBytes = plan.results().get(0).operation().spec().type().bytes();
      writer =
          new ArrayRowWriter(
              List.of(new ArrayRowWriter.Column(0, 0, reader.depth(), elementBytes)), 1);
      pipeline = plan.pipeline(plan.localEngines(), this::read, this::write);
    }
    return pipeline.runOne((ArrayData) value);
  }

  private UnsafeRow read(ArrayData array, ArrayRow row) {
    reader.read(array, row);
    return NO_RESULT;
  }

  private UnsafeArrayData write(UnsafeRow base, ArrayResults results) {
    return writer.write(base, results).getArray(0).copy();
  }
}
