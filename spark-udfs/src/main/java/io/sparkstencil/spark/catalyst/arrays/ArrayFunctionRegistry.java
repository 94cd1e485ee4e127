/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.functions.ArrayFunction;
import io.sparkstencil.spark.functions.FunctionText;
import io.sparkstencil.spark.functions.ProgramFunction;
import io.sparkstencil.spark.functions.SqlFunction;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.errors.QueryCompilationErrors;
import scala.Function1;
import scala.Tuple3;
import scala.collection.immutable.Seq;

/** Registers the array functions and the batched operator with a session. */
public final class ArrayFunctionRegistry {
  private ArrayFunctionRegistry() {}

  /** Adds them to {@code extensions}. */
  public static void inject(SparkSessionExtensions extensions) {
    for (ArrayFunction function : ArrayFunction.values()) {
      inject(extensions, function, arguments -> new ArrayExpression(function, arguments));
    }
    for (ProgramFunction function : ProgramFunction.values()) {
      inject(extensions, function, arguments -> new ProgramExpression(function, arguments));
    }
    extensions.injectPreCBORule(session -> new RapidsRule());
    extensions.injectColumnar(session -> new ArrayProjectRule());
  }

  private static void inject(
      SparkSessionExtensions extensions,
      SqlFunction function,
      Function1<Seq<Expression>, Expression> call) {
    Function1<Seq<Expression>, Expression> builder =
        arguments -> {
          requireNumber(function, arguments.size());
          return call.apply(arguments);
        };
    extensions.injectFunction(
        new Tuple3<>(new FunctionIdentifier(function.sqlName()), info(function), builder));
  }

  private static void requireNumber(SqlFunction function, int arguments) {
    List<Integer> counts = function.argumentCounts();
    if (!counts.contains(arguments)) {
      throw ScalaInterop.<RuntimeException>sneaky(
          QueryCompilationErrors.wrongNumArgsError(
              function.sqlName(),
              ScalaInterop.<Object>seq(new ArrayList<Object>(counts)),
              arguments,
              "",
              "",
              ""));
    }
  }

  private static ExpressionInfo info(SqlFunction function) {
    FunctionText text = function.text();
    return new ExpressionInfo(
        ArrayCall.class.getName(),
        null,
        function.sqlName(),
        text.usage(function),
        FunctionText.argumentsBlock(function),
        text.examplesBlock(),
        text.noteBlock(),
        "array_funcs",
        "0.1.0",
        "",
        "java_udf");
  }
}
