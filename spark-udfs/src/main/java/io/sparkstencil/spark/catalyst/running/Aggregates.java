/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.math.BigInteger;
import org.apache.spark.sql.catalyst.expressions.EvalMode$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NthValue;
import org.apache.spark.sql.catalyst.expressions.NumericEvalContext;
import org.apache.spark.sql.catalyst.expressions.ShiftRight;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.util.MathUtils$;
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.LongType;

/** Aggregates, and how what comes before a partition is found for each. */
public final class Aggregates {
  private static final int HALF = 32;

  /** Sums of decimals of so many digits fit a decimal for any number of rows there can be. */
  private static final int MOST_DIGITS = DecimalType.MAX_PRECISION() - 10;

  private Aggregates() {}

  /** Returns the function of an aggregate. */
  static RunningFunction of(Expression function, Extent extent) {
    DeclarativeAggregate aggregate = Ranks.copy(aggregate(function));
    if (aggregate instanceof Sum sum && isChecked(sum) && extent != Extent.SERIES) {
      return new CheckedSum(sum, extent);
    }
    return isMergeable(aggregate)
        ? new Mergeable(aggregate, extent)
        : new Chained(aggregate, extent);
  }

  /**
   * Returns the aggregate that a window function is. The optimizer turns some first values into
   * n-th values, which are windows' alone.
   */
  private static Expression aggregate(Expression function) {
    return function instanceof NthValue nth
        ? new First(nth.input(), nth.ignoreNulls())
        : ((AggregateExpression) function).aggregateFunction();
  }

  /**
   * Returns why an aggregate is not computed, or null if it is.
   *
   * @param carried whether partitions start from what was aggregated of those before them
   */
  public static String refusal(AggregateFunction function, boolean carried) {
    if (!(function instanceof DeclarativeAggregate aggregate)) {
      return function.prettyName() + " is not aggregated by expressions";
    }
    boolean wide =
        carried
            && !isMergeable(aggregate)
            && ScalaInterop.list(aggregate.aggBufferAttributes()).stream()
                .anyMatch(column -> column.dataType() instanceof DecimalType);
    return wide ? "decimals of %s may outgrow their type".formatted(function.prettyName()) : null;
  }

  /** Tells whether an aggregate of parts, joined in order, is always that of all rows. */
  private static boolean isMergeable(DeclarativeAggregate aggregate) {
    if (aggregate instanceof Sum || aggregate instanceof Average) {
      Expression value = aggregate.children().apply(0);
      return value.dataType() instanceof DecimalType decimal
          ? decimal.precision() <= MOST_DIGITS
          : aggregate instanceof Sum sum && value.dataType() instanceof IntegralType && wraps(sum);
    }
    return aggregate instanceof Count
        || aggregate instanceof Min
        || aggregate instanceof Max
        || aggregate instanceof First
        || aggregate instanceof Last;
  }

  /** Tells whether a sum of integers wraps, or never overflows. */
  private static boolean wraps(Sum sum) {
    return !(sum.child().dataType() instanceof LongType)
        || sum.child() instanceof UnscaledValue // of few digits
        || sum.evalContext().evalMode().equals(EvalMode$.MODULE$.LEGACY());
  }

  /** Tells whether a sum of bigint fails if it overflows after any of the rows. */
  private static boolean isChecked(Sum sum) {
    return sum.child().dataType() instanceof LongType
        && !wraps(sum)
        && sum.evalContext().evalMode().equals(EvalMode$.MODULE$.ANSI());
  }

  /** Tells whether equal values of a type may differ, such as zeros of either sign. */
  private static boolean hasEqualsThatDiffer(DataType type) {
    return !UnsafeRowUtils.isBinaryStable(type)
        || type.existsRecursively(part -> part instanceof DoubleType || part instanceof FloatType);
  }

  /** An aggregate whose parts Spark merges, and whose merged buffer is that of all rows. */
  private static final class Mergeable extends RunningFunction {
    private final PartialBuffers partial;

    Mergeable(DeclarativeAggregate function, Extent extent) {
      super(function, extent);
      this.partial = PartialBuffers.of(Ranks.copy(function));
    }

    @Override
    PartialBuffers partial() {
      return partial;
    }

    @Override
    boolean isOrdered() {
      DeclarativeAggregate function = function();
      boolean picks = function instanceof Min || function instanceof Max;
      return function instanceof First
          || function instanceof Last
          || (picks && hasEqualsThatDiffer(function.dataType()));
    }
  }

  /** An aggregate that adds or compares in the order of the rows, as sums of double do. */
  private static final class Chained extends RunningFunction {
    private final PartialBuffers partial;

    Chained(DeclarativeAggregate function, Extent extent) {
      super(function, extent);
      this.partial = PartialBuffers.unjoined(Ranks.copy(function));
    }

    @Override
    PartialBuffers partial() {
      return partial;
    }

    @Override
    boolean isOrdered() {
      return true;
    }

    @Override
    boolean isChained() {
      return true;
    }
  }

  /**
   * A sum of bigint that must not overflow after any row. Parts may overflow where no sum from the
   * first row on does: they are added without check, and so are their upper halves, which together
   * say what the sum is.
   */
  private static final class CheckedSum extends RunningFunction {
    private final PartialBuffers partial;

    CheckedSum(Sum sum, Extent extent) {
      super(sum, extent);
      Literal half = new Literal(HALF, DataTypes.IntegerType);
      this.partial =
          PartialBuffers.of(unchecked(sum.child()))
              .and(PartialBuffers.of(unchecked(new ShiftRight(sum.child(), half))));
    }

    private static Sum unchecked(Expression value) {
      return new Sum(value, NumericEvalContext.apply(EvalMode$.MODULE$.LEGACY(), true));
    }

    @Override
    PartialBuffers partial() {
      return partial;
    }

    @Override
    boolean isOrdered() {
      return false;
    }

    @Override
    boolean dependsOnTies() {
      return true; // whether it overflows does
    }

    @Override
    Object[] start(Before before) {
      if (before.partial()[0] == null) {
        return new Object[] {null};
      }
      long sum = (long) before.partial()[0];
      long upper = (long) before.partial()[1];
      // The lower halves, less than 2^32 of them, add up to less than 2^64.
      BigInteger lower = new BigInteger(Long.toUnsignedString(sum - (upper << HALF)));
      if (BigInteger.valueOf(upper).shiftLeft(HALF).add(lower).bitLength() >= Long.SIZE) {
        long beyond = upper < 0 ? -1 : 1;
        MathUtils$.MODULE$.addExact(
            upper < 0 ? Long.MIN_VALUE : Long.MAX_VALUE,
            beyond,
            ((Sum) function()).getContextOrNull());
      }
      return new Object[] {sum};
    }
  }
}
