/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.spark.arrays.ArrayOperation;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.functions.ArrayFunction;
import java.util.List;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A stencil over each array of a column. Evaluated row by row wherever Catalyst puts it; in a
 * projection, {@link ArrayProjectRule} hands it to the batched operator.
 */
public final class ArrayExpression extends ArrayCall {
  private static final long serialVersionUID = 1L;

  private final ArrayFunction function;
  private transient ArrayOperation operation;

  /** Creates a call of {@code function} with the array and its parameters. */
  public ArrayExpression(ArrayFunction function, Seq<Expression> arguments) {
    super(function, arguments);
    this.function = function;
  }

  /** Returns the function that is all of {@code named}, or null. */
  static ArrayExpression functionOf(NamedExpression named) {
    return ArrayCall.wholeOf(named) instanceof ArrayExpression function ? function : null;
  }

  ArrayFunction function() {
    return function;
  }

  /** Returns what is computed; the arguments have been checked. */
  ArrayOperation operation() {
    if (operation == null) {
      List<Object> values = values();
      operation =
          ArrayOperation.of(elementType(), function.stencil(values), function.steps(values));
    }
    return operation;
  }

  private ElementType elementType() {
    return ArrayTypes.elementType(ArrayTypes.innermost(array().dataType()).elementType());
  }

  @Override
  DataType arrayType() {
    return ArrayTypes.coerced(array().dataType());
  }

  @Override
  TypeCheckResult checkArray() {
    return ArrayArguments.checkArray(array());
  }

  @Override
  void checkParameters() {
    operation();
  }

  @Override
  double steps() {
    return operation().steps();
  }

  @Override
  double operations() {
    StencilSpec spec = operation().spec();
    return spec.reduction().chooses() ? 1 : spec.frame().width();
  }

  @Override
  Evaluator newEvaluator() {
    return new ArrayEvaluator(this);
  }

  @Override
  public DataType dataType() {
    ArrayType innermost = ArrayTypes.innermost(array().dataType());
    ArrayOperation computed = operation();
    return ArrayTypes.withElements(
        array().dataType(),
        CellKind.of(computed.spec().type()).dataType(),
        computed.nullResults(innermost.containsNull()));
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new ArrayExpression(function, newChildren);
  }
}
