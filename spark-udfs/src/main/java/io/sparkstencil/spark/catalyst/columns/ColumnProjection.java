/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Seq;

/**
 * Hands on some columns of batches as they are, under any names, beside columns of fixed width that
 * are computed row by row.
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

  /** Tells whether a column can be made: it is one of the input, or has a fixed width. */
  public static boolean isColumn(NamedExpression column) {
    Expression value = value(column);
    return value instanceof Attribute
        || (value.deterministic() && WordType.of(value.dataType()) != null);
  }

  private static Expression value(NamedExpression column) {
    return column instanceof Alias alias ? alias.child() : (Expression) column;
  }

  @Override
  public PartitionEvaluator<ColumnarBatch, ColumnarBatch> createEvaluator() {
    return (partition, inputs) -> {
      UnsafeProjection values = null;
      if (!computed.isEmpty()) {
        values = UnsafeProjection.create(ScalaInterop.seq(computed), input);
        values.initialize(partition);
      }
      UnsafeProjection projection = values;
      return inputs.apply(0).map(batch -> projected(batch, projection));
    };
  }

  private ColumnarBatch projected(ColumnarBatch batch, UnsafeProjection projection) {
    ColumnVector[] made = projection == null ? null : values(batch, projection);
    ColumnVector[] columns = new ColumnVector[ordinals.length];
    int next = 0;
    for (int c = 0; c < columns.length; c++) {
      columns[c] = ordinals[c] < 0 ? made[next++] : batch.column(ordinals[c]);
    }
    return new ColumnarBatch(columns, batch.numRows());
  }

  private ColumnVector[] values(ColumnarBatch batch, UnsafeProjection projection) {
    int rows = batch.numRows();
    long[][] words = new long[computed.size()][rows];
    boolean[][] nulls = new boolean[words.length][];
    for (int i = 0; i < rows; i++) {
      UnsafeRow row = projection.apply(batch.getRow(i));
      for (int c = 0; c < words.length; c++) {
        words[c][i] = row.getLong(c);
        if (row.isNullAt(c)) {
          nulls[c] = nulls[c] == null ? new boolean[rows] : nulls[c];
          nulls[c][i] = true;
        }
      }
    }
    ColumnVector[] vectors = new ColumnVector[words.length];
    for (int c = 0; c < words.length; c++) {
      vectors[c] = new WordVector(computed.get(c).dataType(), words[c], nulls[c]);
    }
    return vectors;
  }
}
