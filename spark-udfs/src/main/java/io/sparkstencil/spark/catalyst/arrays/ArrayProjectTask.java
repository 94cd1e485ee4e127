/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.spark.arrays.ArrayEngines;
import io.sparkstencil.spark.arrays.ArrayPlan;
import io.sparkstencil.spark.arrays.ArrayRow;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.plugin.TaskEngine;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
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

  /** Returns the rows of the projection of rows, lazily; resources are closed with the task. */
  scala.collection.Iterator<InternalRow> run(
      int partition, scala.collection.Iterator<InternalRow> rows) {
    return run(partition, CollectionConverters.asJava(rows), null);
  }

  /** Returns the rows of the projection of columnar batches, likewise. */
  scala.collection.Iterator<InternalRow> runColumnar(
      int partition, scala.collection.Iterator<ColumnarBatch> batches) {
    ColumnarRows rows = new ColumnarRows(CollectionConverters.asJava(batches));
    return run(partition, rows, rows);
  }

  private scala.collection.Iterator<InternalRow> run(
      int partition, Iterator<InternalRow> rows, ColumnarRows columns) {
    List<TaskEngine> engines = ArrayEngines.ofTask(plan, conf);
    RowArrays arrays = new RowArrays(partition, columns);
    ArrayRowWriter writer = new ArrayRowWriter(this.columns, others.size());
    PartitionPipeline<InternalRow, UnsafeRow, UnsafeRow> pipeline =
        plan.pipeline(engines, arrays::read, writer::write);
    TaskContext.get()
        .addTaskCompletionListener(
            (TaskCompletionListener)
                ended -> {
                  try {
                    pipeline.close();
                  } finally {
                    metrics.add(pipeline, engines);
                  }
                });
    Iterator<UnsafeRow> results = pipeline.run(rows);
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
    private final ColumnarRows columns;
    private final List<ArrayColumnReader> columnReaders;
    private final UnsafeProjection otherColumns; // null if there are none
    private final UnsafeProjection computedInputs; // likewise
    private final UnsafeRow nulls;

    /** Reads rows, or, if there are {@code columns}, the arrays out of these. */
    RowArrays(int partition, ColumnarRows columns) {
      this.columns = columns;
      columnReaders = sources.stream().map(s -> new ArrayColumnReader(s.reader())).toList();
      otherColumns = onlyArrays ? null : projection(others, partition);
      computedInputs = computed.isEmpty() ? null : projection(computed, partition);
      nulls =
          UnsafeRow.createFromByteArray(
              UnsafeRow.calculateBitSetWidthInBytes(others.size()) + 8 * others.size(),
              others.size());
      for (int i = 0; i < others.size(); i++) {
        nulls.setNullAt(i);
      }
    }

    private UnsafeProjection projection(Seq<Expression> columns, int partition) {
      UnsafeProjection made = UnsafeProjection.create(columns, attributes);
      made.initialize(partition);
      return made;
    }

    UnsafeRow read(InternalRow row, ArrayRow arrays) {
      UnsafeRow inputs = computedInputs == null ? null : computedInputs.apply(row);
      int next = 0;
      for (int i = 0; i < sources.size(); i++) {
        Source source = sources.get(i);
        if (source.ordinal() < 0) {
          read(source, inputs, next++, arrays);
        } else if (columns == null) {
          read(source, row, source.ordinal(), arrays);
        } else {
          columnReaders
              .get(i)
              .read(columns.column(source.ordinal()), ColumnarRows.index(row), arrays);
        }
      }
      return otherColumns == null ? nulls : otherColumns.apply(row).copy();
    }

    private static void read(Source source, InternalRow from, int ordinal, ArrayRow arrays) {
      source.reader().read(from.isNullAt(ordinal) ? null : from.getArray(ordinal), arrays);
    }
  }
}
