/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.frames.PartialBuffers;
import io.sparkstencil.spark.catalyst.interop.DecimalMean;
import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.lines.SparkLine;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.DecimalAddNoOverflowCheck;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.EvalMode$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.Greatest;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Least;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import scala.Option;

/** An aggregate of the rows from one on. It is joined of parts, the last of which comes first. */
final class SuffixAggregate extends RunningFunction {
  private static final DecimalType WIDE = new DecimalType(DecimalType.MAX_PRECISION(), 0);

  private final PartialBuffers partial;
  private final Expression result;
  private final boolean ordered;

  private SuffixAggregate(
      DeclarativeAggregate function,
      FrameExtent extent,
      PartialBuffers partial,
      Expression result,
      boolean ordered) {
    super(function, extent);
    this.partial = partial;
    this.result = result;
    this.ordered = ordered;
  }

  /**
   * Returns the function of an aggregate that Spark joins of parts.
   *
   * @param ordered whether it depends on the order of the rows
   */
  static SuffixAggregate of(DeclarativeAggregate aggregate, FrameExtent extent, boolean ordered) {
    DeclarativeAggregate parts = RunningRank.copy(aggregate);
    return new SuffixAggregate(
        aggregate,
        extent,
        PartialBuffers.of(parts),
        DecimalMean.in(parts.evaluateExpression()),
        ordered);
  }

  /**
   * Returns a sum of bigint that must not overflow after any row of a frame. What is kept of a part
   * is the sum, the greatest and the least sum of some of its first rows, which depend on their
   * order, and the number of values.
   */
  static SuffixAggregate checked(Sum sum, FrameExtent extent) {
    List<Attribute> mine = columns();
    List<Attribute> others = columns();
    Expression none = new Literal(Decimal.apply(0), WIDE);
    Expression value =
        new Coalesce(
            ScalaInterop.seqOf(
                new Cast(sum.child(), WIDE, Option.empty(), EvalMode$.MODULE$.LEGACY()), none));
    Literal zero = new Literal(0L, DataTypes.LongType);
    Expression values = new If(new IsNull(sum.child()), zero, new Literal(1L, DataTypes.LongType));
    PartialBuffers partial =
        new PartialBuffers(
            mine,
            List.of(none, none, none, zero),
            joined(mine, List.of(value, value, value, values)),
            others,
            joined(mine, List.copyOf(others)));
    return new SuffixAggregate(sum, extent, partial, checkedResult(sum, mine), true);
  }

  /** Returns the sum, the greatest and the least on the way, and the number of values. */
  private static List<Attribute> columns() {
    return List.of(
        Expressions.column("sum", WIDE, false),
        Expressions.column("greatest", WIDE, false),
        Expressions.column("least", WIDE, false),
        Expressions.column("values", DataTypes.LongType, false));
  }

  private static List<Expression> joined(List<Attribute> one, List<Expression> later) {
    Expression sum = one.get(0);
    return List.of(
        plus(sum, later.get(0)),
        new Greatest(ScalaInterop.seqOf(one.get(1), plus(sum, later.get(1)))),
        new Least(ScalaInterop.seqOf(one.get(2), plus(sum, later.get(2)))),
        new Add(one.get(3), later.get(3)));
  }

  private static Expression plus(Expression one, Expression other) {
    return new DecimalAddNoOverflowCheck(one, other, WIDE);
  }

  private static Expression checkedResult(Sum sum, List<Attribute> columns) {
    Literal most = new Literal(Long.MAX_VALUE, DataTypes.LongType);
    Expression overflows =
        new Or(
            new GreaterThan(columns.get(1), wide(Long.MAX_VALUE)),
            new LessThan(columns.get(2), wide(Long.MIN_VALUE)));
    Literal one = new Literal(1L, DataTypes.LongType);
    Expression failing =
        CurrentOrigin.withOrigin(sum.origin(), () -> SparkLine.addition(most, one, sum));
    Expression result =
        new Cast(columns.get(0), DataTypes.LongType, Option.empty(), EvalMode$.MODULE$.LEGACY());
    return new If(
        new EqualTo(columns.get(3), new Literal(0L, DataTypes.LongType)),
        new Literal(null, DataTypes.LongType),
        new If(overflows, failing, result));
  }

  private static Literal wide(long value) {
    return new Literal(Decimal.apply(value), WIDE);
  }

  /** Returns the result, of the columns of {@link #partial}. */
  Expression result() {
    return result;
  }

  @Override
  PartialBuffers partial() {
    return partial;
  }

  @Override
  boolean isOrdered() {
    return ordered;
  }
}
