/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.programs.ProgramBatch;
import io.sparkstencil.spark.programs.ProgramOperation;
import io.sparkstencil.spark.programs.ProgramRunner;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;

/** Runs a program on the array, or the struct of arrays, of one row at a time. */
final class ProgramEvaluator implements ArrayCall.Evaluator {
  private static final long serialVersionUID = 1L;

  private final ProgramOperation operation;
  private final DataType input;
  private final ProgramShape shape;
  private final StencilConf conf;
  private transient UnsafeProjection inRow;
  private transient ProgramBatch batch;
  private transient ProgramRowWriter writer;

  /**
   * Creates an evaluator.
   *
   * @param input the type of the values
   */
  ProgramEvaluator(ProgramOperation operation, DataType input, StencilConf conf) {
    this.operation = operation;
    this.input = input;
    this.conf = conf;
    shape = ProgramShape.of(operation, input);
  }

  @Override
  public synchronized Object evaluate(Object value) {
    if (batch == null) {
      boolean inTask = TaskContext.get() != null;
      ProgramRunner runner = inTask ? operation.runner(conf) : operation.localRunner(conf);
      inRow = UnsafeProjection.create(new DataType[] {input});
      writer = new ProgramRowWriter(1);
      batch = new ProgramBatch(runner, shape.type());
    }
    batch.clear();
    UnsafeRow row = inRow.apply(new GenericInternalRow(new Object[] {value}));
    ProgramArray array = ProgramArray.read(shape, row, 0, batch);
    batch.run();
    writer.begin(ArrayRowWriter.nulls(1));
    array.write(writer, 0);
    UnsafeRow result = writer.row();
    if (result.isNullAt(0)) {
      return null;
    }
    return shape.isStruct()
        ? result.getStruct(0, shape.results().size()).copy()
        : result.getArray(0).copy();
  }
}
