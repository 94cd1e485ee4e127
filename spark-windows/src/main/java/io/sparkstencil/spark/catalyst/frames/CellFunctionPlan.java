/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.Sums;
import io.sparkstencil.spark.catalyst.lines.SparkLine;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevPop;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevSamp;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.expressions.aggregate.VariancePop;
import org.apache.spark.sql.catalyst.expressions.aggregate.VarianceSamp;
import org.apache.spark.sql.catalyst.util.TypeUtils$;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.StringType;
import scala.Option;

/**
 * A function that goes through arrays of numbers.
 *
 * @param value what it reads of a row
 * @param function what Spark calls it
 */
record CellFunctionPlan(Expression value, AggregateFunction function) implements Serializable {
  /** Returns the plan of a window function, or null if it is not one of these. */
  static CellFunctionPlan of(Expression function) {
    if (!(function instanceof AggregateExpression aggregate) || aggregate.filter().isDefined()) {
      return null;
    }
    AggregateFunction of = aggregate.aggregateFunction();
    if (of instanceof Count count) {
      return new CellFunctionPlan(counted(count), count);
    }
    if (of instanceof First first) {
      return isKept(first.child().dataType()) ? new CellFunctionPlan(first.child(), of) : null;
    } else if (of instanceof Last last) {
      return isKept(last.child().dataType()) ? new CellFunctionPlan(last.child(), of) : null;
    } else if (variance(of) != null) {
      return new CellFunctionPlan(of.children().apply(0), of);
    }
    boolean known =
        of instanceof Sum || of instanceof Average || of instanceof Min || of instanceof Max;
    if (!known) {
      return null;
    }
    Expression value = of.children().apply(0);
    DataType type = value.dataType();
    if (of instanceof Min || of instanceof Max) {
      return isKept(type) ? new CellFunctionPlan(value, of) : null;
    } else if (type instanceof DecimalType decimal) {
      return isLong(decimal) ? new CellFunctionPlan(value, of) : null;
    }
    boolean floating = type instanceof DoubleType || type instanceof FloatType;
    if (!floating && !(type instanceof IntegralType)) {
      return null;
    } else if (of instanceof Sum sum && SparkLine.mode(sum).equals(EvalMode$.MODULE$.TRY())) {
      return null;
    }
    boolean added = floating || of instanceof Average;
    return new CellFunctionPlan(cast(value, added ? DataTypes.DoubleType : DataTypes.LongType), of);
  }

  /** Returns the variance or standard deviation that a function is, or null if it is neither. */
  private static DoubleFunction.Variance variance(AggregateFunction function) {
    if (function instanceof StddevSamp deviation) {
      return DoubleFunction.Variance.ofSample(true, deviation.nullOnDivideByZero());
    } else if (function instanceof VarianceSamp variance) {
      return DoubleFunction.Variance.ofSample(false, variance.nullOnDivideByZero());
    }
    boolean root = function instanceof StddevPop;
    return root || function instanceof VariancePop ? DoubleFunction.Variance.ofAll(root) : null;
  }

  private static boolean isLong(DecimalType type) {
    return type.precision() <= Decimal.MAX_LONG_DIGITS();
  }

  /** Tells whether values of a type are ordered, and can be kept when their row is gone. */
  private static boolean isKept(DataType type) {
    return KeyType.of(type) != null
        || type instanceof DecimalType
        || type instanceof StringType
        || type instanceof BinaryType
        || type instanceof BooleanType;
  }

  /** Returns a value that is null where a row does not count. */
  private static Expression counted(Count count) {
    List<Expression> nullable =
        ScalaInterop.list(count.children()).stream().filter(Expression::nullable).toList();
    Expression counts = new Literal(true, DataTypes.BooleanType);
    if (nullable.isEmpty()) {
      return counts;
    }
    Expression missing = new IsNull(nullable.get(0));
    for (Expression other : nullable.subList(1, nullable.size())) {
      missing = new Or(missing, new IsNull(other));
    }
    return new If(missing, new Literal(null, DataTypes.BooleanType), counts);
  }

  private static Expression cast(Expression value, DataType wide) {
    return value.dataType().equals(wide)
        ? value
        : new Cast(value, wide, Option.empty(), EvalMode$.MODULE$.LEGACY());
  }

  /** Returns the function for the rows of a task. */
  FrameFunction start() {
    if (function instanceof Count) {
      return new FrameFunction.Count();
    } else if (function instanceof First first) {
      return new ObjectFunction.End(value.dataType(), false, first.ignoreNulls());
    } else if (function instanceof Last last) {
      return new ObjectFunction.End(value.dataType(), true, last.ignoreNulls());
    } else if (value.dataType() instanceof DecimalType decimal && isLong(decimal)) {
      return ofDecimals(decimal);
    } else if (function instanceof Average) {
      return new DoubleFunction.Mean();
    } else if (function instanceof Sum sum) {
      return value.dataType() instanceof DoubleType ? new DoubleFunction.Sum() : sum(sum);
    }
    FrameFunction variance = variance(function);
    if (variance != null) {
      return variance;
    }
    KeyType type = KeyType.of(value.dataType());
    boolean least = function instanceof Min;
    if (type == null) {
      Comparator<Object> order = TypeUtils$.MODULE$.getInterpretedOrdering(value.dataType());
      return new ObjectFunction.Extreme(value.dataType(), least ? order : order.reversed());
    }
    return type.isFloating()
        ? new DoubleFunction.Extreme(least, type == KeyType.FLOAT)
        : new LongFunction.Extreme(type, least);
  }

  private FrameFunction ofDecimals(DecimalType type) {
    DecimalType result = (DecimalType) function.dataType();
    if (function instanceof Average) {
      return new DecimalFunction.Mean(result, type);
    }
    return function instanceof Sum
        ? new DecimalFunction.Sum(result)
        : new DecimalFunction.Extreme(result, function instanceof Min);
  }

  private static FrameFunction sum(Sum sum) {
    return Sums.isChecked(sum)
        ? new LongFunction.CheckedSum(sum.getContextOrNull())
        : new LongFunction.WrappingSum();
  }
}
