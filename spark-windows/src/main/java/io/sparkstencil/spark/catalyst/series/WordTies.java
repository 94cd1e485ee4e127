/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.TieOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import scala.collection.immutable.Seq;

/**
 * Orders rows that tie, of all rows of one series, as {@link SeriesTies} does those of columns.
 *
 * @param nullWords the words of null bits of a row
 * @param keys the columns by which rows are ordered before all of their words are
 * @param texts the columns of texts
 */
public record WordTies(int nullWords, List<OrderKey> keys, List<Integer> texts)
    implements TieOrder {

  /**
   * Returns the order of rows that tie, the same whether they are columns or rows.
   *
   * @param functions what is computed of the rows
   * @param order the order in which they tie
   * @param rows their columns
   */
  public static TieOrder of(List<Expression> functions, Seq<SortOrder> order, Seq<Attribute> rows) {
    return layout(functions, order, new RowOrder(ScalaInterop.seqOf(), rows)).rowTies();
  }

  /** Returns the layout of rows that are columns, with this order of those that tie. */
  public static SeriesLayout layout(
      List<Expression> functions, Seq<SortOrder> order, RowOrder rows) {
    int[] fields =
        columns(functions, order).stream()
            .mapToInt(column -> ScalaInterop.ordinal(column, rows.attributes()))
            .toArray();
    return SeriesLayout.ofOneSeries(rows).breakingTies(fields);
  }

  /** Returns the columns that are computed with, but for those of the order. */
  private static List<Attribute> columns(
      List<? extends Expression> functions, Seq<SortOrder> order) {
    Map<ExprId, Attribute> read = new LinkedHashMap<>();
    functions.forEach(each -> addColumns(each, read));
    Map<ExprId, Attribute> keys = new LinkedHashMap<>();
    ScalaInterop.list(order).forEach(each -> addColumns(each, keys));
    read.keySet().removeAll(keys.keySet());
    return List.copyOf(read.values());
  }

  private static void addColumns(Expression expression, Map<ExprId, Attribute> columns) {
    ScalaInterop.list(expression.references().toSeq())
        .forEach(column -> columns.putIfAbsent(column.exprId(), column));
  }

  @Override
  public int compareTies(InternalRow a, InternalRow b) {
    UnsafeRow left = (UnsafeRow) a;
    UnsafeRow right = (UnsafeRow) b;
    for (OrderKey key : keys) {
      boolean leftNull = left.isNullAt(key.field());
      boolean rightNull = right.isNullAt(key.field());
      int order =
          leftNull || rightNull ? Boolean.compare(rightNull, leftNull) : compare(key, left, right);
      if (order != 0) {
        return order;
      }
    }
    return TieOrder.compareBytes(left, right);
  }

  private int compare(OrderKey key, UnsafeRow left, UnsafeRow right) {
    return texts.contains(key.field())
        ? left.getUTF8String(key.field()).compareTo(right.getUTF8String(key.field()))
        : Long.compare(
            key.type().number(word(left, key.field())),
            key.type().number(word(right, key.field())));
  }

  private long word(UnsafeRow row, int field) {
    return Platform.getLong(
        row.getBaseObject(), row.getBaseOffset() + (long) (nullWords + field) * Long.BYTES);
  }
}
