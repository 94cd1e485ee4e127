/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.functions.ArrayFunction;
import io.sparkstencil.spark.functions.FunctionText;
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
      Function1<Seq<Expression>, Expression> builder = arguments -> build(function, arguments);
      extensions.injectFunction(
          new Tuple3<>(new FunctionIdentifier(function.sqlName()), info(function), builder));
    }
    extensions.injectPreCBORule(session -> new RapidsRule());
    extensions.injectColumnar(session -> new ArrayProjectRule());
  }

  private static Expression build(ArrayFunction function, Seq<Expression> arguments) {
    List<Integer> counts = function.argumentCounts();
    if (!counts.contains(arguments.size())) {
      throw ScalaInterop.<RuntimeException>sneaky(
          QueryCompilationErrors.wrongNumArgsError(
              function.sqlName(),
              ScalaInterop.<Object>seq(new ArrayList<Object>(counts)),
              arguments.size(),
              "",
              "",
              ""));
    }
    return new ArrayExpression(function, arguments);
  }

  private static ExpressionInfo info(ArrayFunction function) {
    FunctionText text = function.text();
    return new ExpressionInfo(
        ArrayExpression.class.getName(),
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
