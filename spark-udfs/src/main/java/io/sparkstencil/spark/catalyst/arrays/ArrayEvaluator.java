/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.spark.arrays.ArrayEngines;
import io.sparkstencil.spark.arrays.ArrayOperation;
import io.sparkstencil.spark.arrays.ArrayPlan;
import io.sparkstencil.spark.arrays.ArrayResults;
import io.sparkstencil.spark.arrays.ArrayRow;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.unsafe.Platform;

/**
 * Evaluates an array function on one array at a time, on the CPU: one array is no work for a GPU,
 * and there is no end of a task at which an evaluator could return a GPU's memory. Generated code
 * calls it.
 */
public final class ArrayEvaluator implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ArrayPlan plan;
  private final ArrayDataReader reader;
  private transient PartitionPipeline<ArrayData, Void, UnsafeArrayData> pipeline;
  private transient ArrayBytes bytes;

  private ArrayEvaluator(ArrayPlan plan, ArrayDataReader reader) {
    this.plan = plan;
    this.reader = reader;
  }

  static ArrayEvaluator of(ArrayExpression expression) {
    ArrayType type = (ArrayType) expression.array().dataType();
    boolean nullElements = ArrayTypes.innermost(type).containsNull();
    ArrayOperation operation = expression.operation();
    ArrayPlan plan =
        ArrayPlan.of(
            List.of(new ArrayPlan.Input(operation.input(), nullElements)),
            List.of(new ArrayPlan.Call(0, operation)));
    return new ArrayEvaluator(
        plan, new ArrayDataReader(0, ArrayTypes.depth(type), operation.input(), nullElements));
  }

  /** Returns the result for an array that is not null; the caller owns it. */
  public synchronized UnsafeArrayData evaluate(ArrayData array) {
    if (pipeline == null) {
      bytes = new ArrayBytes();
      pipeline = plan.pipeline(ArrayEngines.local(plan), this::read, this::write);
    }
    return pipeline.runOne(array);
  }

  private Void read(ArrayData array, ArrayRow row) {
    reader.read(array, row);
    return null;
  }

  private UnsafeArrayData write(Void kept, ArrayResults results) {
    bytes.clear();
    results.begin(0);
    int elementBytes = plan.results().get(0).call().operation().spec().type().bytes();
    bytes.append(results, reader.depth(), elementBytes);
    UnsafeArrayData data = new UnsafeArrayData();
    data.pointTo(bytes.bytes(), Platform.BYTE_ARRAY_OFFSET, bytes.size());
    return data.copy();
  }
}
