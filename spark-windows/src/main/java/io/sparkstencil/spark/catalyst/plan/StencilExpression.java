/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.catalyst.interop.CaseClass;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.exec.ColumnOperation;
import io.sparkstencil.spark.exec.FrameOperation;
import io.sparkstencil.spark.exec.SumOverflow;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** A stencil or a program over a column, which only the stencil operator can compute. */
public final class StencilExpression extends Expression implements CaseClass, Serializable {
  private static final long serialVersionUID = 1L;

  private final Expression value;
  private final ColumnOperation operation;
  private final DataType type;

  /**
   * Creates the expression.
   *
   * @param value a column of numbers, or a literal for every row
   * @param stencil what is computed
   * @param overflow what becomes of sums of bigint that overflow
   * @param type what the results are taken for, which have its cells
   */
  StencilExpression(Expression value, Stencil stencil, SumOverflow overflow, DataType type) {
    this(value, new FrameOperation(stencil, overflow), type);
  }

  /** Creates the expression over a column of numbers. */
  StencilExpression(Expression value, ColumnOperation operation) {
    this(value, operation, operation.resultOf(CellKind.of(value.dataType())).dataType());
  }

  private StencilExpression(Expression value, ColumnOperation operation, DataType type) {
    this.value = value;
    this.operation = operation;
    this.type = type;
  }

  Expression value() {
    return value;
  }

  ColumnOperation operation() {
    return operation;
  }

  /** Returns the kind of cells that a row has of this type, or null if these are not numbers. */
  public static CellKind storedKindOf(DataType type) {
    if (type instanceof DateType || type instanceof YearMonthIntervalType) {
      return CellKind.INT;
    }
    boolean isLong =
        type instanceof TimestampType
            || type instanceof TimestampNTZType
            || type instanceof DayTimeIntervalType
            || (type instanceof DecimalType decimal
                && decimal.precision() <= Decimal.MAX_LONG_DIGITS());
    return isLong ? CellKind.LONG : CellKind.of(type);
  }

  @Override
  public DataType dataType() {
    return type;
  }

  @Override
  public boolean nullable() {
    return operation.nullable();
  }

  @Override
  public boolean foldable() {
    return false;
  }

  @Override
  public Seq<Expression> children() {
    return ScalaInterop.seqOf(value);
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new StencilExpression(newChildren.apply(0), operation, type);
  }

  @Override
  public Object eval(InternalRow row) {
    throw new UnsupportedOperationException(this + " is computed by the stencil operator alone");
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    throw new UnsupportedOperationException(this + " is computed by the stencil operator alone");
  }

  @Override
  public String prettyName() {
    return operation.name();
  }

  @Override
  public String toString() {
    return "%s(%s, %s)".formatted(prettyName(), value, operation);
  }

  @Override
  public List<Object> elements() {
    return List.of(value, operation, type);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StencilExpression that && elements().equals(that.elements());
  }

  @Override
  public int hashCode() {
    return elements().hashCode();
  }
}
