/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.spark.catalyst.interop.CaseClass;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.classic.ExpressionUtils;
import scala.collection.immutable.Seq;

/** An expression over a tile; no generated code, as one value takes long. */
abstract class TileExpression extends Expression
    implements CodegenFallback, CaseClass, Serializable {
  private static final long serialVersionUID = 1L;

  private final Seq<Expression> children;

  TileExpression(Seq<Expression> children) {
    this.children = children;
  }

  /** Returns the expressions of columns. */
  static Seq<Expression> expressions(Column... columns) {
    return ScalaInterop.seq(List.of(columns).stream().map(ExpressionUtils::expression).toList());
  }

  /** Returns this as a column. */
  final Column column() {
    return ExpressionUtils.column(this);
  }

  final Expression child(int index) {
    return children.apply(index);
  }

  @Override
  public final Seq<Expression> children() {
    return children;
  }

  @Override
  public final ExprCode doGenCode(CodegenContext context, ExprCode code) {
    return CodegenFallback.super.doGenCode(context, code);
  }

  @Override
  public final boolean equals(Object other) {
    return other != null
        && getClass() == other.getClass()
        && elements().equals(((TileExpression) other).elements());
  }

  @Override
  public final int hashCode() {
    return elements().hashCode();
  }
}
