/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.functions.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  static AbstractDataType sparkType(Parameter.Kind kind) {
    return switch (kind) {
      // Spark would cast 1.5 to 1 for an int.
      case WHOLE -> IntegralType$.MODULE$;
      case NUMBER -> DataTypes.DoubleType;
      case NUMBERS -> DataTypes.createArrayType(DataTypes.DoubleType, true);
      case TEXT -> DataTypes.StringType;
    };
  }

  /** Checks that the first argument is an array of numbers. */
  static TypeCheckResult checkArray(Expression array) {
    DataType type = ArrayTypes.coerced(array.dataType());
    if (type instanceof ArrayType
        && ArrayTypes.elementType(ArrayTypes.innermost(type).elementType()) != null) {
      return success();
    }
    return mismatch(
        "UNEXPECTED_INPUT_TYPE",
        Map.of(
            "paramIndex",
            "first",
            "requiredType",
            ARRAYS,
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
      if (value == null || (value instanceof ArrayData array && hasNull(array))) {
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

  private static boolean hasNull(ArrayData array) {
    for (int i = 0; i < array.numElements(); i++) {
      if (array.isNullAt(i)) {
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
