/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.RowOrdering$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.immutable.Seq;

/**
 * Orders rows that tie as stencils do: by the values that are computed with, nulls first, one
 * column after the other, then by the bits of these values, and at last by those of the whole rows.
 * Values that Spark cannot order count by their bits alone.
 */
public final class ValueTies implements TieOrder {
  private static final long serialVersionUID = 1L;

  private final RowOrder values;
  private final RowOrder bits;
  private transient Comparator<InternalRow> comparator; // both of one thread
  private transient UnsafeProjection[] projections;

  /**
   * Returns the order of rows that tie in an order of theirs.
   *
   * @param functions what is computed of the rows
   * @param order the order in which they tie
   * @param rows their columns
   */
  public static ValueTies of(
      List<? extends Expression> functions, Seq<SortOrder> order, Seq<Attribute> rows) {
    return new ValueTies(columns(functions, order), rows);
  }

  /** Returns the columns that are computed with, but for those of the order. */
  public static List<Attribute> columns(
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

  /**
   * Creates the order.
   *
   * @param columns the columns that are computed with
   * @param rows the columns of the rows, these among them
   */
  private ValueTies(List<Attribute> columns, Seq<Attribute> rows) {
    List<SortOrder> all = new ArrayList<>();
    columns.forEach(column -> all.add(Expressions.ascending(column)));
    this.bits = new RowOrder(ScalaInterop.seq(all), rows);
    all.removeIf(each -> !RowOrdering$.MODULE$.isOrderable(each.child().dataType()));
    this.values = new RowOrder(ScalaInterop.seq(all), rows);
  }

  @Override
  public int compareTies(InternalRow a, InternalRow b) {
    if (comparator == null) {
      comparator = values.comparator();
      projections = new UnsafeProjection[] {bits.keyProjection(), bits.keyProjection()};
    }
    int byValue = comparator.compare(a, b);
    if (byValue != 0) {
      return byValue;
    }
    int byBits = TieOrder.compareBytes(projections[0].apply(a), projections[1].apply(b));
    return byBits != 0 ? byBits : TieOrder.compareBytes((UnsafeRow) a, (UnsafeRow) b);
  }
}
