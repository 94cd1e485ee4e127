/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VariantType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;
import scala.collection.immutable.Seq;

/**
 * Hands on some columns of batches as they are, under any names, beside columns of fixed width and
 * texts that are computed row by row.
 */
public final class ColumnProjection
    implements PartitionEvaluatorFactory<ColumnarBatch, ColumnarBatch> {
  private static final long serialVersionUID = 1L;

  private final Seq<Attribute> input;
  private final int[] ordinals; // of columns of the input, -1 for those that are computed
  private final List<Expression> computed = new ArrayList<>();

  /**
   * Creates the projection.
   *
   * @param columns those that {@link #isColumn} allows
   * @param input the columns of the batches
   */
  public ColumnProjection(Seq<NamedExpression> columns, Seq<Attribute> input) {
    this.input = input;
    this.ordinals = new int[columns.size()];
    for (int c = 0; c < ordinals.length; c++) {
      Expression value = value(columns.apply(c));
      if (value instanceof Attribute column) {
        ordinals[c] = ScalaInterop.ordinal(column, input);
      } else {
        ordinals[c] = -1;
        computed.add(value);
      }
    }
  }

  /** Tells whether a column can be made: it is one of the input, or of a type that columns take. */
  public static boolean isColumn(NamedExpression column) {
    Expression value = value(column);
    return value instanceof Attribute
        || (value.deterministic()
            && isRead(value)
            && (WordType.of(value.dataType()) != null || Texts.isText(value.dataType())));
  }

  /**
   * Tells whether an expression may read columns. Where no code is generated, a struct of a column
   * gives and copies values of few types, where those of Spark's binary rows do so of all. No code
   * is generated for some functions, and for none where it would be too large.
   */
  public static boolean isRead(Expression expression) {
    boolean isInterpreted = has(expression, each -> each instanceof CodegenFallback);
    return !has(
        expression,
        each -> each instanceof Attribute && hasStructs(each.dataType(), isInterpreted));
  }

  /** Tells whether a type has structs: any, or such with fields that they do not give. */
  private static boolean hasStructs(DataType type, boolean any) {
    return Texts.stored(type)
        .existsRecursively(
            each ->
                each instanceof StructType struct
                    && (any
                        || Stream.of(struct.fields()).anyMatch(part -> !isGiven(part.dataType()))));
  }

  private static boolean isGiven(DataType of) {
    DataType type = Texts.stored(of);
    return WordType.of(type) != null
        || Texts.isText(type)
        || type instanceof DecimalType
        || type instanceof ArrayType
        || type instanceof MapType
        || type instanceof StructType
        || type instanceof VariantType;
  }

  private static boolean has(Expression expression, Predicate<Expression> asked) {
    return asked.test(expression)
        || ScalaInterop.list(expression.children()).stream().anyMatch(each -> has(each, asked));
  }

  private static Expression value(NamedExpression column) {
    return column instanceof Alias alias ? alias.child() : (Expression) column;
  }

  @Override
  public PartitionEvaluator<ColumnarBatch, ColumnarBatch> createEvaluator() {
    return (partition, inputs) -> {
      if (computed.isEmpty()) {
        return inputs.apply(0).map(batch -> projected(batch, 0, batch.numRows(), null));
      }
      ComputedColumns values = new ComputedColumns(computed, input, partition);
      return inputs.apply(0).flatMap(batch -> new Parts(batch, values));
    };
  }

  /**
   * Returns {@code count} rows of a batch.
   *
   * @param values what has computed columns of these rows, or null if there are none
   */
  private ColumnarBatch projected(
      ColumnarBatch batch, int from, int count, ComputedColumns values) {
    int[] rows = count == batch.numRows() ? null : IntStream.range(from, from + count).toArray();
    ColumnVector[] columns = new ColumnVector[ordinals.length];
    int next = 0;
    for (int c = 0; c < columns.length; c++) {
      if (ordinals[c] < 0) {
        columns[c] = values.column(next++);
      } else {
        ColumnVector all = batch.column(ordinals[c]);
        columns[c] = rows == null ? all : new SelectedVector(all, rows, count);
      }
    }
    return new ColumnarBatch(columns, count);
  }

  /**
   * The rows of a batch with computed columns: in one batch, or in more if their texts are long.
   */
  private final class Parts extends AbstractIterator<ColumnarBatch> {
    private final ColumnarBatch batch;
    private final ComputedColumns values;
    private int from; // the next row

    Parts(ColumnarBatch batch, ComputedColumns values) {
      this.batch = batch;
      this.values = values;
    }

    @Override
    public boolean hasNext() {
      return from < batch.numRows();
    }

    @Override
    public ColumnarBatch next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int count = values.compute(batch, from);
      ColumnarBatch part = projected(batch, from, count, values);
      from += count;
      return part;
    }
  }
}
