/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.spark.arrays.ArrayEngines;
import io.sparkstencil.spark.arrays.ArrayPipeline;
import io.sparkstencil.spark.arrays.ArrayPlan;
import io.sparkstencil.spark.arrays.ArrayRow;
import io.sparkstencil.spark.conf.StencilConf;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.util.TaskCompletionListener;
import scala.collection.AbstractIterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What every task of the batched operator does.
 *
 * @param plan what is computed
 * @param sources where the arrays of each input are
 * @param computed the inputs that no row has
 * @param others the projection with nulls in place of our functions
 * @param onlyArrays whether those nulls are all of it
 * @param columns where results go
 * @param attributes the rows that come in
 * @param conf options as the query sees them
 * @param metrics what is counted
 */
record ArrayProjectTask(
    ArrayPlan plan,
    List<Source> sources,
    Seq<Expression> computed,
    Seq<Expression> others,
    boolean onlyArrays,
    List<ArrayRowWriter.Column> columns,
    Seq<Attribute> attributes,
    StencilConf conf,
    ArrayProjectMetrics metrics)
    implements Serializable {

  /**
   * Where the arrays of an input are.
   *
   * @param reader how they are found in array data
   * @param ordinal in the rows that come in, or -1 for the next computed input
   */
  record Source(ArrayDataReader reader, int ordinal) implements Serializable {}

  /** Returns the rows of the projection, lazily; resources are closed with the task. */
  scala.collection.Iterator<InternalRow> run(
      int partition, scala.collection.Iterator<InternalRow> rows) {
    List<StencilEngine> engines = ArrayEngines.ofTask(plan, conf);
    RowArrays arrays = new RowArrays(partition);
    ArrayRowWriter writer = new ArrayRowWriter(columns, others.size());
    ArrayPipeline<InternalRow, UnsafeRow, UnsafeRow> pipeline =
        new ArrayPipeline<>(plan, engines, arrays::read, writer::write);
    TaskContext.get()
        .addTaskCompletionListener(
            (TaskCompletionListener)
                ended -> {
                  metrics.cells().add(pipeline.outputCells());
                  metrics.stagedBytes().add(pipeline.stagedBytes());
                  pipeline.close();
                });
    Iterator<UnsafeRow> results = pipeline.run(CollectionConverters.asJava(rows));
    return new AbstractIterator<>() {
      @Override
      public boolean hasNext() {
        return results.hasNext();
      }

      @Override
      public InternalRow next() {
        metrics.rows().add(1);
        return results.next();
      }
    };
  }

  /** The arrays of a row and what else is kept of it. */
  private final class RowArrays {
    private final UnsafeProjection otherColumns;
    private final UnsafeProjection computedInputs;
    private UnsafeRow constant;

    RowArrays(int partition) {
      otherColumns = UnsafeProjection.create(others, attributes);
      otherColumns.initialize(partition);
      computedInputs = computed.isEmpty() ? null : UnsafeProjection.create(computed, attributes);
      if (computedInputs != null) {
        computedInputs.initialize(partition);
      }
    }

    UnsafeRow read(InternalRow row, ArrayRow arrays) {
      UnsafeRow inputs = computedInputs == null ? null : computedInputs.apply(row);
      int next = 0;
      for (Source source : sources) {
        InternalRow from = source.ordinal() < 0 ? inputs : row;
        int ordinal = source.ordinal() < 0 ? next++ : source.ordinal();
        source.reader().read(from.isNullAt(ordinal) ? null : from.getArray(ordinal), arrays);
      }
      if (!onlyArrays) {
        return otherColumns.apply(row).copy();
      }
      if (constant == null) {
        constant = otherColumns.apply(row).copy();
      }
      return constant;
    }
  }
}
