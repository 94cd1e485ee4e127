/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.PresentCells;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.functions.ProgramFunction;
import io.sparkstencil.spark.plugin.ProgramForecast;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** A stencil program over each array of a column, or each struct of arrays. */
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
  public ProgramOperation operation() {
    if (operation == null) {
      List<Object> values = values();
      DataType input = array().dataType();
      StencilProgram program =
          function.program(values, ArrayTypes.depth(ProgramShape.arrays(input).get(0)) + 1);
      int steps = function.steps(values);
      Optional<PresentCells> present = function.present(values);
      if (present.isPresent()) {
        operation = new ProgramOperation(program, present.get());
        return operation;
      }
      operation =
          input instanceof StructType struct
              ? new ProgramOperation(program, steps, Map.of(), List.of(struct.fieldNames()))
              : new ProgramOperation(program, steps, Map.of());
    }
    return operation;
  }

  /** Returns what the program reads and makes. */
  ProgramShape shape() {
    return ProgramShape.of(operation(), array().dataType());
  }

  /** Returns which engine runs the program, in one line. */
  String forecast(StencilConf conf) {
    return ProgramForecast.of(
        conf.get(StencilOptions.ENGINE),
        operation().program(),
        shape().type(),
        operation().steps(),
        "a batch of arrays");
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
    if (function == ProgramFunction.EXPR && array().dataType() instanceof StructType struct) {
      return checkStruct(struct);
    }
    boolean image = function.dimensions() == 2;
    return ArrayArguments.checkArray(
        array(),
        image ? "\"ARRAY<ARRAY>\" of numbers" : "\"ARRAY\" of numbers, of one to three dimensions",
        dimensions -> image ? dimensions == 2 : dimensions <= MAX_DIMENSIONS);
  }

  /** Checks that a struct has arrays of float or of double, all of one dimension. */
  private TypeCheckResult checkStruct(StructType struct) {
    List<ArrayType> arrays = ProgramShape.arrays(struct);
    List<DataType> elements =
        arrays.stream().map(array -> ArrayTypes.innermost(array).elementType()).distinct().toList();
    List<Integer> depths = arrays.stream().map(ArrayTypes::depth).distinct().toList();
    boolean floating =
        elements.equals(List.of(DataTypes.FloatType))
            || elements.equals(List.of(DataTypes.DoubleType));
    return floating && depths.size() == 1 && depths.get(0) < MAX_DIMENSIONS
        ? TypeCheckResult.TypeCheckSuccess$.MODULE$
        : new TypeCheckResult.TypeCheckFailure(
            "the struct is %s; its fields must be arrays of float or of double, all of one type and of one to three dimensions: cast them"
                .formatted(struct.catalogString()));
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
    return operation().program().nodes().size();
  }

  @Override
  Evaluator newEvaluator() {
    return new ProgramEvaluator(operation(), array().dataType(), SessionOptions.ofSession());
  }

  /** The arrays of a struct can be null, and then the result is. */
  @Override
  public boolean nullable() {
    return array().nullable()
        || (array().dataType() instanceof StructType struct
            && Stream.of(struct.fields()).anyMatch(StructField::nullable));
  }

  @Override
  public DataType dataType() {
    return array().dataType() instanceof StructType
        ? shape().resultType(array().dataType())
        : array().dataType();
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new ProgramExpression(function, newChildren);
  }
}
