/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.functions.ProgramFunction;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** A stencil program over each array of a column, evaluated row by row. */
public final class ProgramExpression extends ArrayCall {
  private static final long serialVersionUID = 1L;

  /** Arrays of one to three dimensions, as programs have axes. */
  private static final int MAX_DIMENSIONS = 3;

  private final ProgramFunction function;
  private transient ProgramOperation operation;

  /** Creates a call of {@code function} with the array and its parameters. */
  public ProgramExpression(ProgramFunction function, Seq<Expression> arguments) {
    super(function, arguments);
    this.function = function;
  }

  /** Returns what is computed; the arguments have been checked. */
  ProgramOperation operation() {
    if (operation == null) {
      List<Object> values = values();
      int dimensions = ArrayTypes.depth(array().dataType()) + 1;
      operation =
          new ProgramOperation(
              function.program(values, dimensions), function.steps(values), Map.of());
    }
    return operation;
  }

  /** Integers become double, as no stencil program computes with integers. */
  @Override
  DataType arrayType() {
    DataType type = ArrayTypes.coerced(array().dataType());
    if (!(type instanceof ArrayType)) {
      return type;
    }
    ArrayType innermost = ArrayTypes.innermost(type);
    return innermost.elementType().equals(DataTypes.FloatType)
        ? type
        : ArrayTypes.withElements(type, DataTypes.DoubleType, innermost.containsNull());
  }

  @Override
  TypeCheckResult checkArray() {
    boolean image = function.dimensions() == 2;
    return ArrayArguments.checkArray(
        array(),
        image ? "\"ARRAY<ARRAY>\" of numbers" : "\"ARRAY\" of numbers, of one to three dimensions",
        dimensions -> image ? dimensions == 2 : dimensions <= MAX_DIMENSIONS);
  }

  @Override
  void checkParameters() {
    operation();
  }

  @Override
  Evaluator newEvaluator() {
    return new ProgramEvaluator(operation(), (ArrayType) array().dataType());
  }

  @Override
  public DataType dataType() {
    return array().dataType();
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new ProgramExpression(function, newChildren);
  }
}
