/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SerializableWritable;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * Evaluates calls where they are, but for those that take long on the driver. Spark evaluates
 * constants and the rows of small tables while it plans, where nothing stops what lasts: such a
 * call becomes a job, which can be cancelled as any other.
 *
 * @param evaluator evaluates calls here
 * @param type of the values
 * @param steps how many a call computes
 * @param operations how many a cell takes in a step
 */
record DriverWork(ArrayCall.Evaluator evaluator, DataType type, double steps, double operations)
    implements ArrayCall.Evaluator {
  private static final long serialVersionUID = 1L;

  /** Operations on cells that take less than a tenth of a second. */
  private static final double MOST_OPERATIONS = 1 << 24;

  /** What a step costs beside its cells, in cells. */
  private static final double CELLS_OF_A_STEP = 256;

  /** Returns whether a call over a constant is soon done. */
  static boolean isSoonDone(Expression array, double steps, double operations) {
    return isSoonDone(0, steps, operations)
        && isSoonDone(cells(array.eval(null), array.dataType()), steps, operations);
  }

  private static boolean isSoonDone(long cells, double steps, double operations) {
    return (cells + CELLS_OF_A_STEP) * steps * operations <= MOST_OPERATIONS;
  }

  /** Returns how many cells a value has; the fields of a struct are as large as the first. */
  private static long cells(Object value, DataType type) {
    if (value instanceof InternalRow struct && type instanceof StructType fields) {
      DataType first = fields.fields()[0].dataType();
      return fields.length() * cells(struct.isNullAt(0) ? null : struct.get(0, first), first);
    }
    if (!(value instanceof ArrayData array)) {
      return 0;
    }
    if (!(((ArrayType) type).elementType() instanceof ArrayType rows)) {
      return array.numElements();
    }
    long cells = 0;
    for (int i = 0; i < array.numElements(); i++) {
      cells += cells(array.isNullAt(i) ? null : array.getArray(i), rows);
    }
    return cells;
  }

  @Override
  public Object evaluate(Object value) {
    Optional<SparkContext> driver =
        TaskContext.get() == null ? ScalaInterop.activeContext() : Optional.empty();
    if (driver.isEmpty() || isSoonDone(cells(value, type), steps, operations)) {
      return evaluator.evaluate(value);
    }
    return evaluateInJob(JavaSparkContext.fromSparkContext(driver.get()), (Serializable) value);
  }

  /**
   * Evaluates a call in a job. The value is broadcast, as it may be longer than a task may be; and
   * no serializer of the session meets the classes of values.
   */
  private Object evaluateInJob(JavaSparkContext spark, Serializable value) {
    ArrayCall.Evaluator call = evaluator;
    Broadcast<SerializableWritable<Packed<Serializable>>> sent = spark.broadcast(Packed.of(value));
    try {
      return Packed.open(
          spark
              .parallelize(List.of(0), 1)
              .map(one -> Packed.of((Serializable) call.evaluate(Packed.open(sent.value()))))
              .collect()
              .get(0));
    } finally {
      sent.destroy();
    }
  }
}
