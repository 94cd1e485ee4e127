/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Metadata;
import scala.Option;

/** Catalyst's expressions with the defaults that Scala gives their parameters. */
public final class Expressions {
  private Expressions() {}

  /** Returns a new column with the values of {@code expression}. */
  public static Alias alias(Expression expression, String name) {
    return new Alias(
        expression,
        name,
        NamedExpression$.MODULE$.newExprId(),
        ScalaInterop.seqOf(),
        Option.empty(),
        ScalaInterop.seqOf());
  }

  /** Returns a column that exists by name with the values of {@code expression}. */
  public static Alias alias(Expression expression, Attribute column) {
    return new Alias(
        expression,
        column.name(),
        column.exprId(),
        column.qualifier(),
        Option.apply(column.metadata()),
        ScalaInterop.seqOf());
  }

  /** Returns a new column that an operator makes. */
  public static Attribute column(String name, DataType type, boolean nullable) {
    return new AttributeReference(
        name,
        type,
        nullable,
        Metadata.empty(),
        NamedExpression$.MODULE$.newExprId(),
        ScalaInterop.seqOf());
  }

  /** Returns the order of the values of {@code expression}, ascending, nulls first. */
  public static SortOrder ascending(Expression expression) {
    return new SortOrder(
        expression,
        Ascending$.MODULE$,
        Ascending$.MODULE$.defaultNullOrdering(),
        ScalaInterop.seqOf());
  }
}
