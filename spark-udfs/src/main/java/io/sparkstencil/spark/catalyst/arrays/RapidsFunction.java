/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.spark.arrays.ArrayOperation;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.functions.ArrayFunction;
import io.sparkstencil.spark.rapids.ListStencil;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.util.Utils;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * An array function as RAPIDS takes functions from users: an object with its interface for columns,
 * made at run time, in a {@link ScalaUDF}. Where RAPIDS leaves such an expression on the CPU, it is
 * turned back into an {@link ArrayExpression}.
 *
 * @param function the function
 * @param parameters its constant arguments
 * @param arrayType the type of its array
 * @param operation what is computed
 */
record RapidsFunction(
    ArrayFunction function,
    Seq<Expression> parameters,
    DataType arrayType,
    ArrayOperation operation)
    implements InvocationHandler, Serializable {
  private static final String INTERFACE = "com.nvidia.spark.RapidsUDF";

  /** Tells whether {@code expression} can run on RAPIDS's columns. */
  static boolean suits(ArrayExpression expression) {
    return ArrayTypes.depth(expression.array().dataType()) == 0
        && ListStencil.suits(expression.operation());
  }

  /** Returns {@code expression} as RAPIDS takes it. */
  static ScalaUDF wrap(ArrayExpression expression) {
    ClassLoader loader = Utils.getContextOrSparkClassLoader();
    Class<?> columnar = columnarInterface(loader);
    RapidsFunction handler =
        new RapidsFunction(
            expression.function(),
            ScalaInterop.seq(expression.parameters()),
            expression.array().dataType(),
            expression.operation());
    Object function =
        Proxy.newProxyInstance(
            loader, new Class<?>[] {columnar, Function1.class, Serializable.class}, handler);
    List<String> texts =
        expression.parameters().stream()
            .map(p -> p instanceof Literal ? p.toString() : p.sql())
            .toList();
    return new ScalaUDF(
        function,
        expression.dataType(),
        ScalaInterop.seq(List.of(expression.array())),
        ScalaInterop.seq(List.of()),
        Option.empty(),
        Option.apply("%s[%s]".formatted(expression.prettyName(), String.join(", ", texts))),
        expression.nullable(),
        true);
  }

  private static Class<?> columnarInterface(ClassLoader loader) {
    try {
      return Class.forName(INTERFACE, false, loader);
    } catch (ClassNotFoundException e) {
      throw new EngineUnavailableException(
          "the RAPIDS Accelerator is on, but %s is not on the class path; add its jar or set %s=false"
              .formatted(INTERFACE, StencilOptions.ARRAYS_RAPIDS.key()),
          e);
    }
  }

  /** Returns what {@code expression} was made of, or the expression itself if not by us. */
  static Expression unwrap(Expression expression) {
    if (expression instanceof ScalaUDF udf
        && Proxy.isProxyClass(udf.function().getClass())
        && Proxy.getInvocationHandler(udf.function()) instanceof RapidsFunction ours) {
      List<Expression> arguments = new ArrayList<>(ScalaInterop.list(udf.children()));
      arguments.addAll(ScalaInterop.list(ours.parameters()));
      return new ArrayExpression(ours.function(), ScalaInterop.seq(arguments));
    }
    return expression;
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "evaluateColumnar" -> {
        Object[] columns = (Object[]) arguments[arguments.length - 1];
        yield ListStencil.apply(operation, columns[0]);
      }
      case "apply" -> evaluate(arguments[0]);
      case "equals" ->
          arguments[0] != null
              && Proxy.isProxyClass(arguments[0].getClass())
              && equals(Proxy.getInvocationHandler(arguments[0]));
      case "hashCode" -> hashCode();
      case "toString" -> function.sqlName();
      default ->
          throw new UnsupportedOperationException(
              "%s of a function that RAPIDS took".formatted(method.getName()));
    };
  }

  /** Evaluates one array as Spark's own functions of users get it, boxed. */
  private Object evaluate(Object array) {
    if (array == null) {
      return null;
    }
    Object data = CatalystTypeConverters.createToCatalystConverter(arrayType).apply(array);
    List<Expression> arguments = new ArrayList<>(List.of(new Literal(data, arrayType)));
    arguments.addAll(ScalaInterop.list(parameters));
    ArrayExpression expression = new ArrayExpression(function, ScalaInterop.seq(arguments));
    ArrayData results = (ArrayData) expression.eval(null);
    return CatalystTypeConverters.createToScalaConverter(expression.dataType()).apply(results);
  }
}
