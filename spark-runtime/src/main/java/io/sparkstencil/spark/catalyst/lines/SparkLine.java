/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.lines;

import java.lang.invoke.MethodHandle;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.EvalMode$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray;
import org.apache.spark.sql.execution.window.WindowEvaluatorFactory;
import org.apache.spark.sql.internal.SQLConf;
import scala.Enumeration;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * The parts of Spark that its lines have in different forms. Which form is there is found by
 * looking, not by the version, once, when this class is first used. Nothing here is called per row.
 */
public final class SparkLine {
  private static final String EXPRESSIONS = "org.apache.spark.sql.catalyst.expressions.";

  /** From 4.1 on, arithmetic keeps its mode in a context. */
  private static final boolean HAS_CONTEXT =
      SparkMembers.exists(EXPRESSIONS + "NumericEvalContext");

  private static final Class<?> MODE = Enumeration.Value.class;
  private static final Class<?> CONTEXT =
      HAS_CONTEXT ? SparkMembers.type(EXPRESSIONS + "NumericEvalContext") : MODE;
  private static final MethodHandle CONTEXT_OF_SUM =
      SparkMembers.method(Sum.class, HAS_CONTEXT ? "evalContext" : "evalMode", CONTEXT);
  private static final MethodHandle MODE_OF_CONTEXT =
      HAS_CONTEXT ? SparkMembers.method(CONTEXT, "evalMode", MODE) : null;
  private static final MethodHandle NEW_CONTEXT =
      HAS_CONTEXT ? SparkMembers.function(CONTEXT, "apply", CONTEXT, MODE, boolean.class) : null;
  private static final MethodHandle NEW_SUM =
      SparkMembers.constructor(Sum.class, Expression.class, CONTEXT);
  private static final MethodHandle NEW_ADD =
      SparkMembers.constructor(Add.class, Expression.class, Expression.class, CONTEXT);

  /** Renamed in 4.1. */
  private static final MethodHandle NEW_TIME_SUM =
      SparkMembers.constructor(
          SparkMembers.type(
              SparkMembers.exists(EXPRESSIONS + "TimeAdd")
                  ? EXPRESSIONS + "TimeAdd"
                  : EXPRESSIONS + "TimestampAddInterval"),
          Expression.class,
          Expression.class,
          Option.class);

  /** From 4.1 on, the buffer of windows has limits of bytes beside those of rows. */
  private static final MethodHandle BYTES_OF_BUFFER =
      HAS_CONTEXT
          ? SparkMembers.method(SQLConf.class, "windowExecBufferSpillSizeThreshold", long.class)
          : null;

  private static final MethodHandle NEW_BUFFER =
      HAS_CONTEXT
          ? SparkMembers.constructor(
              ExternalAppendOnlyUnsafeRowArray.class, int.class, long.class, int.class, long.class)
          : SparkMembers.constructor(ExternalAppendOnlyUnsafeRowArray.class, int.class, int.class);

  /** 4.2 has more metrics, after the four parameters that matter. */
  private static final MethodHandle NEW_FACTORY =
      SparkMembers.onlyConstructor(WindowEvaluatorFactory.class, 4);

  private SparkLine() {}

  /** Returns what a sum does where it overflows: a value of {@code EvalMode}. */
  public static Object mode(Sum sum) {
    Object context = SparkMembers.call(CONTEXT_OF_SUM, sum);
    return HAS_CONTEXT ? SparkMembers.call(MODE_OF_CONTEXT, context) : context;
  }

  /** Returns a sum that wraps where it overflows. */
  public static Sum wrappingSum(Expression value) {
    Object mode = EvalMode$.MODULE$.LEGACY();
    return (Sum)
        SparkMembers.call(
            NEW_SUM, value, HAS_CONTEXT ? SparkMembers.call(NEW_CONTEXT, mode, true) : mode);
  }

  /** Returns the addition of two values that overflows as a sum does. */
  public static Add addition(Expression left, Expression right, Sum like) {
    return (Add) SparkMembers.call(NEW_ADD, left, right, SparkMembers.call(CONTEXT_OF_SUM, like));
  }

  /** Returns a time to which an interval of days and shorter units is added. */
  public static Expression timeSum(Expression time, Expression interval, Option<String> zone) {
    return (Expression) SparkMembers.call(NEW_TIME_SUM, time, interval, zone);
  }

  /** Returns Spark's buffer for the rows of windows, with the limits that the session sets. */
  public static ExternalAppendOnlyUnsafeRowArray windowBuffer() {
    SQLConf conf = SQLConf.get();
    int rowsInMemory = conf.windowExecBufferInMemoryThreshold();
    int rows = conf.windowExecBufferSpillThreshold();
    List<Object> limits = List.of(rowsInMemory, rows);
    if (HAS_CONTEXT) {
      Object bytes = SparkMembers.call(BYTES_OF_BUFFER, conf);
      limits = List.of(rowsInMemory, bytes, rows, bytes);
    }
    return (ExternalAppendOnlyUnsafeRowArray) SparkMembers.call(NEW_BUFFER, limits.toArray());
  }

  /** Returns what makes Spark's frames of windows, which count nothing. */
  public static WindowEvaluatorFactory windowFactory(
      Seq<?> windows, Seq<?> keys, Seq<?> order, Seq<?> input) {
    return (WindowEvaluatorFactory) SparkMembers.call(NEW_FACTORY, windows, keys, order, input);
  }
}
