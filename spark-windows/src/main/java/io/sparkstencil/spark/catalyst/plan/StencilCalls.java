/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.catalyst.interop.DecimalMean;
import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.lines.SparkLine;
import io.sparkstencil.spark.catalyst.running.RowFrame;
import io.sparkstencil.spark.exec.SumOverflow;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.EvalMode$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.MakeDecimal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/** The stencils that compute some windows, each once, and the values that they need. */
final class StencilCalls {
  /** What {@code count} counts where it counts rows. */
  private static final Literal ROW = new Literal((byte) 1, DataTypes.ByteType);

  private final List<Alias> values = new ArrayList<>();
  private final List<NamedExpression> stencils = new ArrayList<>();

  /** Returns values to compute before the stencils. */
  List<Alias> values() {
    return values;
  }

  /** Returns the stencils, each with a name. */
  List<NamedExpression> stencils() {
    return stencils;
  }

  /**
   * Returns {@code expression} with the results of stencils in place of its windows.
   *
   * @param name the column that the expression is computed for; a stencil takes it as its result if
   *     it has the whole value
   */
  Expression compute(Expression expression, Attribute name) {
    if (expression instanceof WindowExpression window) {
      return window.windowFunction() instanceof FrameLessOffsetWindowFunction neighbour
          ? neighbour(neighbour, name)
          : aggregate(window, name);
    }
    return expression.mapChildren(child -> compute(child, null));
  }

  /** Returns the value of {@code lag} or {@code lead}: the least of a frame of one row. */
  private Expression neighbour(FrameLessOffsetWindowFunction neighbour, Attribute name) {
    Frame frame = RowFrame.of(neighbour).toFrame();
    Expression input = neighbour.input();
    Expression otherwise = neighbour.children().apply(2);
    DataType type = neighbour.dataType();
    boolean isNull = otherwise.foldable() && otherwise.eval(null) == null;
    if (isNull) {
      return call(input, Stencil.min(frame), type, name);
    }
    Expression there = call(ROW, Stencil.count(frame), DataTypes.LongType, null);
    return new If(
        new EqualTo(there, new Literal(0L, DataTypes.LongType)),
        otherwise,
        call(input, Stencil.min(frame), type, null));
  }

  private Expression aggregate(WindowExpression window, Attribute name) {
    Frame frame = RowFrame.of(window.windowSpec().frameSpecification()).toFrame();
    AggregateFunction function =
        ((AggregateExpression) window.windowFunction()).aggregateFunction();
    if (function instanceof Count count) {
      return call(counted(count), Stencil.count(frame), DataTypes.LongType, name);
    }
    Expression value = function.children().apply(0);
    DataType type = function.dataType();
    if (function instanceof Min) {
      return call(value, Stencil.min(frame), type, name);
    } else if (function instanceof Max) {
      return call(value, Stencil.max(frame), type, name);
    } else if (value.dataType() instanceof DecimalType decimal) {
      return function instanceof Average average
          ? decimalAverage(average, decimal, frame)
          : decimalSum(value, decimal, frame);
    } else if (function instanceof Sum sum) {
      return call(value, Stencil.sum(frame), overflow(sum), type, name);
    }
    return call(value, Stencil.mean(frame), type, name);
  }

  /** Returns what Spark does where a sum overflows; sums of decimals were chosen not to. */
  private static SumOverflow overflow(Sum sum) {
    Object mode = SparkLine.mode(sum);
    if (sum.child() instanceof UnscaledValue) {
      return SumOverflow.WRAP;
    } else if (mode.equals(EvalMode$.MODULE$.TRY())) {
      return SumOverflow.NULL;
    }
    return SumOverflow.ofSum(mode.equals(EvalMode$.MODULE$.ANSI()));
  }

  /** Returns a value that is null where a row does not count. */
  private static Expression counted(Count count) {
    List<Expression> nullable =
        ScalaInterop.list(count.children()).stream().filter(Expression::nullable).toList();
    if (nullable.isEmpty()) {
      return ROW;
    }
    if (nullable.size() == 1
        && nullable.get(0) instanceof Attribute only
        && StencilExpression.storedKindOf(only.dataType()) != null) {
      return only;
    }
    Expression missing = new IsNull(nullable.get(0));
    for (Expression other : nullable.subList(1, nullable.size())) {
      missing = new Or(missing, new IsNull(other));
    }
    return new If(missing, new Literal(null, DataTypes.ByteType), ROW);
  }

  private Expression decimalSum(Expression value, DecimalType type, Frame frame) {
    Attribute unscaled = call(value, Stencil.sum(frame), DataTypes.LongType, null);
    return new MakeDecimal(
        unscaled, Math.min(DecimalType.MAX_PRECISION(), type.precision() + 10), type.scale());
  }

  /** The quotient is that of Spark's own expression, over sums and counts from stencils. */
  private Expression decimalAverage(Average average, DecimalType type, Frame frame) {
    Expression sum = decimalSum(average.child(), type, frame);
    Expression count = call(average.child(), Stencil.count(frame), DataTypes.LongType, null);
    return DecimalMean.in(substitute(average.evaluateExpression(), average, sum, count));
  }

  private static Expression substitute(
      Expression expression, Average average, Expression sum, Expression count) {
    if (expression.equals(average.sum())) {
      return sum;
    } else if (expression.equals(average.count())) {
      return count;
    }
    return expression.mapChildren(child -> substitute(child, average, sum, count));
  }

  /** Returns the column of a value as it is stored: the unscaled value of a decimal is. */
  static Expression stored(Expression value) {
    return value instanceof UnscaledValue unscaled ? unscaled.child() : value;
  }

  private Attribute call(Expression value, Stencil stencil, DataType type, Attribute name) {
    return call(value, stencil, SumOverflow.WRAP, type, name);
  }

  /** Returns the column of a stencil's results; {@code name} if it is given and free to take. */
  private Attribute call(
      Expression value, Stencil stencil, SumOverflow overflow, DataType type, Attribute name) {
    StencilExpression call = new StencilExpression(column(stored(value)), stencil, overflow, type);
    for (NamedExpression known : stencils) {
      if (((Alias) known).child().equals(call)) {
        return known.toAttribute();
      }
    }
    Alias made =
        name == null
            ? Expressions.alias(call, "_" + call.prettyName())
            : Expressions.alias(call, name);
    stencils.add(made);
    return made.toAttribute();
  }

  /** Returns the column of a value; one that is computed first, if need be. */
  private Expression column(Expression value) {
    if (value instanceof Attribute || value == ROW) {
      return value;
    }
    for (Alias known : values) {
      if (known.child().semanticEquals(value)) {
        return known.toAttribute();
      }
    }
    Alias made = Expressions.alias(value, "_stencil_value");
    values.add(made);
    return made.toAttribute();
  }
}
