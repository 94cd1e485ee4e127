/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.functions.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.IntegralType$;

/** The arguments of an array function: their types, their checks in Spark's terms, their values. */
final class ArrayArguments {
  private static final String ARRAYS =
      "\"ARRAY\" of \"FLOAT\", \"DOUBLE\", \"INT\" or \"BIGINT\", or of such arrays";

  private ArrayArguments() {}

  static AbstractDataType sparkType(Parameter.ArgumentType kind) {
    return switch (kind) {
      // Spark would cast 1.5 to 1 for an int.
      case WHOLE -> IntegralType$.MODULE$;
      case NUMBER -> DataTypes.DoubleType;
      case NUMBERS -> DataTypes.createArrayType(DataTypes.DoubleType, true);
      case ROWS ->
          DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.DoubleType, true), true);
      case TEXT -> DataTypes.StringType;
    };
  }

  /** Checks that the first argument is an array of numbers. */
  static TypeCheckResult checkArray(Expression array) {
    return checkArray(array, ARRAYS, dimensions -> true);
  }

  /**
   * Checks that the first argument is an array of numbers.
   *
   * @param required what is accepted, for the message
   * @param accepted which numbers of dimensions are
   */
  static TypeCheckResult checkArray(Expression array, String required, IntPredicate accepted) {
    DataType type = ArrayTypes.coerced(array.dataType());
    if (type instanceof ArrayType
        && ArrayTypes.elementType(ArrayTypes.innermost(type).elementType()) != null
        && accepted.test(ArrayTypes.depth(type) + 1)) {
      return success();
    }
    return mismatch(
        "UNEXPECTED_INPUT_TYPE",
        Map.of(
            "paramIndex",
            "first",
            "requiredType",
            required,
            "inputSql",
            quoted(array.sql()),
            "inputType",
            quoted(array.dataType().sql())));
  }

  /** Checks that parameters are constants and in their range. */
  static TypeCheckResult checkValues(
      List<Parameter> parameters, List<Expression> arguments, Runnable operation) {
    for (int i = 0; i < parameters.size(); i++) {
      String name = parameters.get(i).name();
      Expression argument = arguments.get(i);
      if (!argument.foldable()) {
        return mismatch(
            "NON_FOLDABLE_INPUT",
            Map.of(
                "inputName", "`%s`".formatted(name),
                "inputType", quoted(argument.dataType().sql()),
                "inputExpr", quoted(argument.sql())));
      }
      Object value = argument.eval(null);
      Parameter.ArgumentType kind = parameters.get(i).kind();
      if (value == null || (value instanceof ArrayData array && hasNull(kind, array))) {
        return mismatch("UNEXPECTED_NULL", Map.of("exprName", name));
      }
    }
    try {
      operation.run();
      return success();
    } catch (InvalidStencilException e) {
      return new TypeCheckResult.TypeCheckFailure(e.getMessage());
    }
  }

  /** Returns the values of constants that have been checked. */
  static List<Object> values(List<Parameter> parameters, List<Expression> arguments) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      Object value = arguments.get(i).eval(null);
      values.add(
          switch (parameters.get(i).kind()) {
            case WHOLE -> whole(parameters.get(i), ((Number) value).longValue());
            case NUMBER -> value;
            case NUMBERS -> ((ArrayData) value).toDoubleArray();
            case ROWS -> rows((ArrayData) value);
            case TEXT -> value.toString();
          });
    }
    return values;
  }

  private static Integer whole(Parameter parameter, long value) {
    if (value != (int) value) {
      throw new InvalidStencilException(
          "%s is %d; it must be an int".formatted(parameter.name(), value));
    }
    return (int) value;
  }

  private static double[][] rows(ArrayData array) {
    double[][] rows = new double[array.numElements()][];
    Arrays.setAll(rows, i -> array.getArray(i).toDoubleArray());
    return rows;
  }

  private static boolean hasNull(Parameter.ArgumentType kind, ArrayData array) {
    for (int i = 0; i < array.numElements(); i++) {
      if (array.isNullAt(i)
          || (kind == Parameter.ArgumentType.ROWS
              && hasNull(Parameter.ArgumentType.NUMBERS, array.getArray(i)))) {
        return true;
      }
    }
    return false;
  }

  private static String quoted(String sql) {
    return "\"%s\"".formatted(sql);
  }

  private static TypeCheckResult success() {
    return TypeCheckResult.TypeCheckSuccess$.MODULE$;
  }

  private static TypeCheckResult mismatch(String subclass, Map<String, String> parameters) {
    return new TypeCheckResult.DataTypeMismatch(subclass, ScalaInterop.map(parameters));
  }
}
