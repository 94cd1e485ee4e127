/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.columns.TextMemory;
import io.sparkstencil.spark.catalyst.columns.TextOrder;
import io.sparkstencil.spark.catalyst.columns.Texts;
import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.interop.Sums;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.CumeDist;
import org.apache.spark.sql.catalyst.expressions.DenseRank;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NTile;
import org.apache.spark.sql.catalyst.expressions.NthValue;
import org.apache.spark.sql.catalyst.expressions.PercentRank;
import org.apache.spark.sql.catalyst.expressions.Rank;
import org.apache.spark.sql.catalyst.expressions.RowNumber;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitAndAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitOrAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.Corr;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.CovSample;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevPop;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevSamp;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.expressions.aggregate.VariancePop;
import org.apache.spark.sql.catalyst.expressions.aggregate.VarianceSamp;
import org.apache.spark.sql.types.DecimalType;

/**
 * One function of a query.
 *
 * @param function what Spark calls it
 * @param extent how far its frames extend, which begin with the series; null if bounds say that
 * @param bounds where its frames begin and end; null if they have such an extent
 * @param columns which sources have its values
 */
record LoopCall(Expression function, FrameExtent extent, FrameBounds bounds, List<Integer> columns)
    implements Serializable {

  /** Tells whether results depend on which rows tie. */
  boolean needsTies() {
    return extent == FrameExtent.TIES
        || function instanceof Rank
        || function instanceof DenseRank
        || function instanceof PercentRank;
  }

  /** Tells whether sums that overflow are null. */
  boolean isNullOnOverflow() {
    return function instanceof Sum sum && Sums.isNullOnOverflow(sum);
  }

  /** Tells whether it is to be known which sums overflow. */
  private boolean isChecked() {
    return function instanceof Sum sum && (Sums.isChecked(sum) || Sums.isNullOnOverflow(sum));
  }

  /** Tells whether the function is a sum or a mean of decimals. */
  private boolean isOfDecimals() {
    return (function instanceof Sum || function instanceof Average)
        && function.dataType() instanceof DecimalType;
  }

  private DecimalResults decimals() {
    DecimalType type = (DecimalType) function.dataType();
    return function instanceof Sum
        ? DecimalResults.sums(type)
        : DecimalResults.means(type, (DecimalType) function.children().apply(0).dataType());
  }

  /** Returns the type of cells of the results. */
  ElementType results() {
    return isOfDecimals() ? ElementType.I64 : ColumnarLayout.carriedAs(function.dataType());
  }

  /**
   * Returns the function for the series of a task.
   *
   * @param sources where the cells of columns come from
   * @param texts the memory of texts
   */
  LoopFunction start(List<ColumnarLayout.Source> sources, TextMemory texts) {
    if (extent != null) {
      return cumulative(sources, texts);
    } else if (bounds.isFromFirst()) {
      return new GrowingFrame(cumulative(sources, texts));
    } else if (function instanceof Count) {
      return new MovingCount(columns);
    } else if (function instanceof NthValue nth) {
      return new MovingPick(columns.get(0), number(nth), nth.ignoreNulls());
    } else if (function instanceof First first) {
      return new MovingPick(columns.get(0), 1, first.ignoreNulls());
    } else if (function instanceof Last last) {
      return new MovingPick(columns.get(0), PickFunction.LAST, last.ignoreNulls());
    }
    boolean whole = !columns.isEmpty() && sources.get(columns.get(0)).to() == ElementType.I64;
    if (isOfDecimals()) {
      return new MovingDecimals(columns.get(0), decimals());
    } else if (function instanceof Sum || function instanceof Average) {
      boolean mean = function instanceof Average;
      return whole
          ? new MovingIntegers(columns.get(0), mean, isChecked())
          : new MovingDoubles(columns.get(0), mean);
    } else if (function instanceof Min || function instanceof Max) {
      return extreme(whole, texts);
    }
    return isVariance()
        ? new MovingVariance(columns.get(0), moments(), isOfSample(), isNullOfOne())
        : new FrameAfresh(cumulative(sources, texts));
  }

  private static long number(NthValue nth) {
    return ((Number) nth.offset().eval(null)).longValue();
  }

  private MovingFunction extreme(boolean whole, TextMemory texts) {
    boolean least = function instanceof Min;
    if (Texts.isText(function.dataType())) {
      TextOrder order = new TextOrder(function.dataType());
      return new MovingExtreme.Texts(columns.get(0), least, texts, order);
    }
    return whole
        ? new MovingExtreme.Longs(columns.get(0), least)
        : new MovingExtreme.Doubles(columns.get(0), least);
  }

  private CumulativeFunction cumulative(List<ColumnarLayout.Source> sources, TextMemory texts) {
    if (function instanceof RowNumber) {
      return new RankFunction.RowNumber();
    } else if (function instanceof Rank) {
      return new RankFunction.Rank();
    } else if (function instanceof DenseRank) {
      return new RankFunction.DenseRank();
    } else if (function instanceof PercentRank) {
      return new RankFunction.PercentRank();
    } else if (function instanceof CumeDist) {
      return new RankFunction.CumulativePart();
    } else if (function instanceof NTile tiles) {
      return new RankFunction.Tile((int) tiles.buckets().eval(null));
    } else if (function instanceof Count) {
      return new CountFunction(columns);
    }
    int column = columns.get(0);
    if (function instanceof NthValue nth) {
      return new PickFunction(column, number(nth), nth.ignoreNulls());
    } else if (function instanceof First first) {
      return new PickFunction(column, 1, first.ignoreNulls());
    } else if (function instanceof Last last) {
      return new PickFunction(column, PickFunction.LAST, last.ignoreNulls());
    }
    return ofNumbers(column, sources.get(column).to() == ElementType.I64, texts);
  }

  private CumulativeFunction ofNumbers(int column, boolean whole, TextMemory texts) {
    if (isOfDecimals()) {
      return new SumFunction.Decimals(column, decimals());
    } else if (function instanceof Sum && whole) {
      return new SumFunction.Longs(column, isChecked());
    } else if (function instanceof Sum || function instanceof Average) {
      return new SumFunction.Doubles(column, function instanceof Average);
    } else if (function instanceof BitAggregate) {
      return new BitFunction(column, operation());
    } else if (function instanceof Min || function instanceof Max) {
      boolean least = function instanceof Min;
      if (Texts.isText(function.dataType())) {
        TextOrder order = new TextOrder(function.dataType());
        return new ExtremeFunction.Texts(column, least, texts, order);
      }
      return whole
          ? new ExtremeFunction.Longs(column, least)
          : new ExtremeFunction.Doubles(column, least);
    }
    int second = isVariance() ? -1 : columns.get(1);
    Corr correlation = function instanceof Corr corr ? corr : null;
    return new MomentFunction(column, second, moments(), isOfSample(), isNullOfOne(), correlation);
  }

  private BitFunction.Operation operation() {
    if (function instanceof BitAndAgg) {
      return BitFunction.Operation.AND;
    }
    return function instanceof BitOrAgg ? BitFunction.Operation.OR : BitFunction.Operation.XOR;
  }

  private boolean isVariance() {
    return function instanceof StddevSamp
        || function instanceof StddevPop
        || function instanceof VarianceSamp
        || function instanceof VariancePop;
  }

  private boolean isOfSample() {
    return function instanceof StddevSamp
        || function instanceof VarianceSamp
        || function instanceof CovSample;
  }

  private MomentFunction.Result moments() {
    if (function instanceof Corr) {
      return MomentFunction.Result.CORRELATION;
    }
    return function instanceof StddevSamp || function instanceof StddevPop
        ? MomentFunction.Result.DEVIATION
        : MomentFunction.Result.VARIANCE;
  }

  /** Tells whether one row has null, and not NaN, where it has no such value. */
  private boolean isNullOfOne() {
    if (function instanceof StddevSamp deviation) {
      return deviation.nullOnDivideByZero();
    } else if (function instanceof VarianceSamp variance) {
      return variance.nullOnDivideByZero();
    } else if (function instanceof CovSample covariance) {
      return covariance.nullOnDivideByZero();
    }
    return !(function instanceof Corr corr) || corr.nullOnDivideByZero();
  }
}
