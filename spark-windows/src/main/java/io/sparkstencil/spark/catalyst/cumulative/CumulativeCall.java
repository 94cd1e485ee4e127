/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cumulative;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.columns.WordType;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.Sums;
import io.sparkstencil.spark.catalyst.lines.SparkLine;
import io.sparkstencil.spark.catalyst.running.FrameExtent;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CumeDist;
import org.apache.spark.sql.catalyst.expressions.DenseRank;
import org.apache.spark.sql.catalyst.expressions.EvalMode$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NTile;
import org.apache.spark.sql.catalyst.expressions.NthValue;
import org.apache.spark.sql.catalyst.expressions.PercentRank;
import org.apache.spark.sql.catalyst.expressions.Rank;
import org.apache.spark.sql.catalyst.expressions.RowNumber;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.IntegralType;
import scala.collection.immutable.Seq;

/**
 * One function of a query.
 *
 * @param function what Spark calls it
 * @param extent how far its frames extend
 * @param value where its values come from; null if it has none
 */
record CumulativeCall(Expression function, FrameExtent extent, ColumnarLayout.Source value)
    implements Serializable {
  /** Returns the call of a window, or null if it is another function or frame. */
  static CumulativeCall of(WindowExpression window, Seq<Attribute> input) {
    FrameExtent extent = FrameExtent.of(window);
    if (extent == null || extent.isRest()) {
      return null;
    }
    Expression function = window.windowFunction();
    if (function instanceof AggregateExpression aggregate) {
      return aggregate.filter().isDefined() || aggregate.isDistinct()
          ? null
          : ofAggregate(aggregate.aggregateFunction(), extent, input);
    } else if (function instanceof NthValue nth) {
      return nth.offset() instanceof Literal ? asIs(nth, nth.input(), extent, input) : null;
    }
    boolean rank =
        function instanceof RowNumber
            || function instanceof Rank
            || function instanceof DenseRank
            || function instanceof PercentRank
            || (function instanceof NTile tiles && tiles.buckets() instanceof Literal);
    boolean known = rank ? extent == FrameExtent.ROWS : function instanceof CumeDist;
    return known ? new CumulativeCall(function, extent, null) : null;
  }

  private static CumulativeCall ofAggregate(
      Expression function, FrameExtent extent, Seq<Attribute> input) {
    if (function instanceof Count count) {
      return ofCount(count, extent, input);
    } else if (function instanceof First first) {
      return asIs(first, first.child(), extent, input);
    } else if (function instanceof Last last) {
      return asIs(last, last.child(), extent, input);
    } else if (function instanceof Average) {
      return adding(function, ElementType.F64, extent, input);
    } else if (function instanceof Sum sum) {
      boolean tried = SparkLine.mode(sum).equals(EvalMode$.MODULE$.TRY());
      boolean integral = sum.child().dataType() instanceof IntegralType;
      ElementType cells = integral ? ElementType.I64 : ElementType.F64;
      return tried ? null : adding(function, cells, extent, input);
    }
    WordType word =
        function instanceof Min || function instanceof Max
            ? WordType.of(function.dataType())
            : null;
    return word == null
        ? null
        : reading(
            function,
            function.children().apply(0),
            word.isFloating() ? ElementType.F64 : ElementType.I64,
            extent,
            input);
  }

  private static CumulativeCall ofCount(Count count, FrameExtent extent, Seq<Attribute> input) {
    Expression value = count.children().size() == 1 ? count.children().apply(0) : null;
    if (value instanceof Literal literal && literal.value() != null) {
      return new CumulativeCall(count, extent, null);
    }
    return asIs(count, value, extent, input);
  }

  private static CumulativeCall adding(
      Expression function, ElementType cells, FrameExtent extent, Seq<Attribute> input) {
    Expression value = function.children().apply(0);
    boolean numeric =
        value.dataType() instanceof IntegralType
            || value.dataType().equals(DataTypes.DoubleType)
            || value.dataType().equals(DataTypes.FloatType);
    return numeric ? reading(function, value, cells, extent, input) : null;
  }

  private static CumulativeCall asIs(
      Expression function, Expression value, FrameExtent extent, Seq<Attribute> input) {
    return value == null
        ? null
        : reading(function, value, ColumnarLayout.carriedAs(value.dataType()), extent, input);
  }

  private static CumulativeCall reading(
      Expression function,
      Expression value,
      ElementType cells,
      FrameExtent extent,
      Seq<Attribute> input) {
    return value instanceof Attribute column
        ? new CumulativeCall(
            function,
            extent,
            new ColumnarLayout.Source(
                ScalaInterop.ordinal(column, input), column.dataType(), cells))
        : null;
  }

  /** Tells whether results depend on which rows tie. */
  boolean needsTies() {
    return extent == FrameExtent.TIES
        || function instanceof Rank
        || function instanceof DenseRank
        || function instanceof PercentRank;
  }

  /** Returns the type of cells of the results. */
  ElementType results() {
    return ColumnarLayout.carriedAs(function.dataType());
  }

  /**
   * Returns the function for the series of a task.
   *
   * @param column which column of a piece has its values
   */
  CumulativeFunction start(int column) {
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
    } else if (function instanceof NthValue nth) {
      long wanted = ((Number) nth.offset().eval(null)).longValue();
      return new PickFunction(column, wanted, nth.ignoreNulls());
    }
    return ofAggregate(column);
  }

  private CumulativeFunction ofAggregate(int column) {
    if (function instanceof Count) {
      return value == null ? new SumFunction.CountRows() : new SumFunction.Count(column);
    } else if (function instanceof First first) {
      return new PickFunction(column, 1, first.ignoreNulls());
    } else if (function instanceof Last last) {
      return new PickFunction(column, PickFunction.LAST, last.ignoreNulls());
    } else if (function instanceof Sum sum && value.to() == ElementType.I64) {
      return new SumFunction.Longs(column, Sums.isChecked(sum));
    } else if (function instanceof Sum || function instanceof Average) {
      return new SumFunction.Doubles(column, function instanceof Average);
    }
    boolean least = function instanceof Min;
    return value.to() == ElementType.F64
        ? new ExtremeFunction.Doubles(column, least)
        : new ExtremeFunction.Longs(column, least);
  }
}
