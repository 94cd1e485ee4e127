/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.spark.arrays.ArrayPlan;
import io.sparkstencil.spark.arrays.ArrayRow;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.plugin.TaskEngine;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;
import scala.collection.AbstractIterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** What every task of the batched operator does: a projection, taken apart. */
final class ArrayProjectTask implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int COMPUTED = -1;

  private final ArrayPlan plan;
  private final List<ArrayDataReader> readers = new ArrayList<>(); // for each input
  private final int[] ordinals; // of inputs in the rows that come in, or COMPUTED
  private final Seq<Expression> computed; // the inputs that no row has
  private final Seq<Expression> others; // the projection with nulls in place of our functions
  private final List<ArrayRowWriter.Column> columns = new ArrayList<>(); // where results go
  private final Seq<Attribute> attributes; // the rows that come in
  private final StencilConf conf;
  private final ArrayProjectMetrics metrics;

  /**
   * Takes a projection apart.
   *
   * @param projectList each of our functions in it is all of its column
   * @param attributes the rows that come in
   * @param conf options as the query sees them
   * @param metrics what is counted
   */
  ArrayProjectTask(
      Seq<NamedExpression> projectList,
      Seq<Attribute> attributes,
      StencilConf conf,
      ArrayProjectMetrics metrics) {
    this.attributes = attributes;
    this.conf = conf;
    this.metrics = metrics;
    List<Expression> inputs = new ArrayList<>();
    List<Expression> rest = new ArrayList<>();
    List<ArrayPlan.InputOperation> calls = new ArrayList<>();
    for (NamedExpression named : ScalaInterop.list(projectList)) {
      ArrayExpression function = ArrayExpression.functionOf(named);
      if (function == null) {
        rest.add((Expression) named);
        continue;
      }
      int input = inputOf(function.array(), inputs);
      int elementBytes = function.operation().spec().type().bytes();
      columns.add(
          new ArrayRowWriter.Column(
              rest.size(), calls.size(), readers.get(input).depth(), elementBytes));
      calls.add(new ArrayPlan.InputOperation(input, function.operation()));
      rest.add(new Literal(null, function.dataType()));
    }
    this.ordinals = inputs.stream().mapToInt(input -> ordinal(input, attributes)).toArray();
    this.computed =
        ScalaInterop.seq(
            inputs.stream().filter(input -> ordinal(input, attributes) == COMPUTED).toList());
    this.others = ScalaInterop.seq(rest);
    this.plan = ArrayPlan.of(readers.stream().map(ArrayDataReader::type).toList(), calls);
  }

  /** Returns what is computed, whose results are those of our functions, in their order. */
  ArrayPlan plan() {
    return plan;
  }

  private int inputOf(Expression array, List<Expression> inputs) {
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).semanticEquals(array)) {
        return i;
      }
    }
    readers.add(ArrayDataReader.of(inputs.size(), array.dataType()));
    inputs.add(array);
    return inputs.size() - 1;
  }

  private static int ordinal(Expression input, Seq<Attribute> attributes) {
    return input instanceof Attribute attribute
        ? ScalaInterop.list(attributes).stream()
            .map(Attribute::exprId)
            .toList()
            .indexOf(attribute.exprId())
        : COMPUTED;
  }

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
      int partition, Iterator<InternalRow> rows, ColumnarRows batches) {
    List<TaskEngine> engines = plan.engines(conf);
    RowArrays arrays = new RowArrays(partition, batches);
    ArrayRowWriter writer = new ArrayRowWriter(columns, others.size());
    PartitionPipeline<InternalRow, UnsafeRow, UnsafeRow> pipeline =
        plan.pipeline(engines, arrays::read, writer::write);
    ScalaInterop.onCompletion(
        TaskContext.get(),
        () -> {
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
    private final ColumnarRows batches; // null if rows come in
    private final UnsafeProjection otherColumns; // null if there are none
    private final UnsafeProjection computedInputs; // likewise
    private final UnsafeRow nulls = ArrayRowWriter.nulls(others.size());

    RowArrays(int partition, ColumnarRows batches) {
      this.batches = batches;
      otherColumns = columns.size() == others.size() ? null : projection(others, partition);
      computedInputs = computed.isEmpty() ? null : projection(computed, partition);
    }

    private UnsafeProjection projection(Seq<Expression> wanted, int partition) {
      UnsafeProjection made = UnsafeProjection.create(wanted, attributes);
      made.initialize(partition);
      return made;
    }

    UnsafeRow read(InternalRow row, ArrayRow arrays) {
      UnsafeRow inputs = computedInputs == null ? null : computedInputs.apply(row);
      int next = 0;
      for (int i = 0; i < ordinals.length; i++) {
        if (ordinals[i] == COMPUTED) {
          read(readers.get(i), inputs, next++, arrays);
        } else if (batches == null) {
          read(readers.get(i), row, ordinals[i], arrays);
        } else {
          readers.get(i).read(batches.column(ordinals[i]), ColumnarRows.index(row), arrays);
        }
      }
      return otherColumns == null ? nulls : otherColumns.apply(row).copy();
    }

    private static void read(ArrayDataReader reader, InternalRow from, int ordinal, ArrayRow to) {
      reader.read(from.isNullAt(ordinal) ? null : from.getArray(ordinal), to);
    }
  }

  /** The rows of columnar batches, one after the other, each valid until the next is asked for. */
  private static final class ColumnarRows implements Iterator<InternalRow> {
    private final Iterator<ColumnarBatch> batches;
    private ColumnarBatch batch;
    private Iterator<InternalRow> rows = Collections.emptyIterator();

    ColumnarRows(Iterator<ColumnarBatch> batches) {
      this.batches = batches;
    }

    /** Returns a column of the batch that {@code row}, the last one returned, is in. */
    ColumnVector column(int ordinal) {
      return batch.column(ordinal);
    }

    /** Returns where in its batch a row is. */
    static int index(InternalRow row) {
      return ((ColumnarBatchRow) row).rowId;
    }

    @Override
    public boolean hasNext() {
      while (!rows.hasNext() && batches.hasNext()) {
        if (batch != null) {
          batch.closeIfFreeable();
        }
        batch = batches.next();
        rows = batch.rowIterator();
      }
      return rows.hasNext();
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return rows.next();
    }
  }
}
