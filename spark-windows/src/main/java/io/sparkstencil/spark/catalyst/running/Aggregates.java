/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.frames.PartialBuffers;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.Sums;
import io.sparkstencil.spark.catalyst.lines.SparkLine;
import java.math.BigInteger;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NthValue;
import org.apache.spark.sql.catalyst.expressions.ShiftRight;
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

/** Aggregates, and how what comes before a part is found for each. */
public final class Aggregates {
  private static final int HALF = 32;

  /** Sums of decimals of so many digits fit a decimal for any number of rows there can be. */
  private static final int MOST_DIGITS = DecimalType.MAX_PRECISION() - 10;

  private Aggregates() {}

  /** Returns the function of an aggregate. */
  static RunningFunction of(Expression function, FrameExtent extent) {
    if (extent.isRest()) {
      return ofRest(function, extent);
    }
    DeclarativeAggregate aggregate = RunningRank.copy(aggregate(function));
    if (aggregate instanceof Sum sum && Sums.isChecked(sum) && extent != FrameExtent.SERIES) {
      return new CheckedSum(sum, extent);
    }
    return new PlainAggregate(aggregate, extent, !isMergeable(aggregate));
  }

  /** Returns the function of an aggregate whose frames go to the last row. */
  static SuffixAggregate ofRest(Expression function, FrameExtent extent) {
    DeclarativeAggregate aggregate = RunningRank.copy(aggregate(function));
    return aggregate instanceof Sum sum && Sums.isChecked(sum)
        ? SuffixAggregate.checked(sum, extent)
        : SuffixAggregate.of(aggregate, extent, isOrdered(aggregate));
  }

  /**
   * Returns the aggregate that a window function is. The optimizer turns some first values into
   * n-th values, which are windows' alone.
   */
  private static Expression aggregate(Expression function) {
    if (function instanceof AggregateExpression aggregate) {
      return aggregate.aggregateFunction();
    }
    if (!(function instanceof NthValue nth)) {
      return function;
    }
    boolean first = nth.offset() instanceof Literal offset && offset.value().equals(1);
    return first ? new First(nth.input(), nth.ignoreNulls()) : nth;
  }

  /**
   * Returns why an aggregate is not computed where parts start from what was aggregated of those
   * before them, or null if it is.
   */
  public static String refusal(AggregateFunction function) {
    if (!(function instanceof DeclarativeAggregate aggregate)) {
      return function.prettyName() + " is not aggregated by expressions";
    }
    boolean wide =
        !isMergeable(aggregate)
            && ScalaInterop.list(aggregate.aggBufferAttributes()).stream()
                .anyMatch(column -> column.dataType() instanceof DecimalType);
    return wide ? "decimals of %s may outgrow their type".formatted(function.prettyName()) : null;
  }

  /** Tells whether a window function can be computed from the last row to the first. */
  public static boolean canBeJoined(Expression function) {
    boolean known = function instanceof AggregateExpression || function instanceof NthValue;
    return known
        && aggregate(function) instanceof DeclarativeAggregate aggregate
        && (isMergeable(aggregate) || (aggregate instanceof Sum sum && Sums.isChecked(sum)));
  }

  /** Tells whether an aggregate of parts, joined in order, is always that of all rows. */
  private static boolean isMergeable(DeclarativeAggregate aggregate) {
    if (aggregate instanceof Sum || aggregate instanceof Average) {
      Expression value = aggregate.children().apply(0);
      return value.dataType() instanceof DecimalType decimal
          ? decimal.precision() <= MOST_DIGITS
          : aggregate instanceof Sum sum
              && value.dataType() instanceof IntegralType
              && Sums.wraps(sum);
    }
    return aggregate instanceof Count
        || aggregate instanceof Min
        || aggregate instanceof Max
        || aggregate instanceof First
        || aggregate instanceof Last;
  }

  /** Tells whether equal values of a type may differ, such as zeros of either sign. */
  private static boolean hasEqualsThatDiffer(DataType type) {
    return !UnsafeRowUtils.isBinaryStable(type)
        || type.existsRecursively(part -> part instanceof DoubleType || part instanceof FloatType);
  }

  /** Tells whether an aggregate of joined parts depends on the order of the rows. */
  private static boolean isOrdered(DeclarativeAggregate function) {
    boolean picks = function instanceof Min || function instanceof Max;
    return function instanceof First
        || function instanceof Last
        || (picks && hasEqualsThatDiffer(function.dataType()));
  }

  /**
   * An aggregate whose parts Spark merges, so that the merged buffer is that of all rows; or one
   * that adds or compares in the order of the rows, as sums of double do.
   */
  private static final class PlainAggregate extends RunningFunction {
    private final PartialBuffers partial;
    private final boolean chained;

    PlainAggregate(DeclarativeAggregate function, FrameExtent extent, boolean chained) {
      super(function, extent);
      DeclarativeAggregate copy = RunningRank.copy(function);
      this.partial = chained ? PartialBuffers.unjoined(copy) : PartialBuffers.of(copy);
      this.chained = chained;
    }

    @Override
    PartialBuffers partial() {
      return partial;
    }

    @Override
    boolean isOrdered() {
      return chained || Aggregates.isOrdered(function());
    }

    @Override
    boolean isChained() {
      return chained;
    }
  }

  /**
   * A sum of bigint that must not overflow after any row. Parts may overflow where no sum from the
   * first row on does: they are added without check, and so are their upper halves, which together
   * say what the sum is.
   */
  private static final class CheckedSum extends RunningFunction {
    private final PartialBuffers partial;

    CheckedSum(Sum sum, FrameExtent extent) {
      super(sum, extent);
      Literal half = new Literal(HALF, DataTypes.IntegerType);
      this.partial =
          PartialBuffers.of(unchecked(sum.child()))
              .and(PartialBuffers.of(unchecked(new ShiftRight(sum.child(), half))));
    }

    private static Sum unchecked(Expression value) {
      return SparkLine.wrappingSum(value);
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
