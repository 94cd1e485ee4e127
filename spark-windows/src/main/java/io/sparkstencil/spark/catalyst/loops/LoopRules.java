/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.columns.Texts;
import io.sparkstencil.spark.catalyst.columns.WordType;
import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.frames.OpenBound;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.Sums;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CumeDist;
import org.apache.spark.sql.catalyst.expressions.DenseRank;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NTile;
import org.apache.spark.sql.catalyst.expressions.NthValue;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.PercentRank;
import org.apache.spark.sql.catalyst.expressions.Rank;
import org.apache.spark.sql.catalyst.expressions.RowFrame$;
import org.apache.spark.sql.catalyst.expressions.RowNumber;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.UnboundedFollowing$;
import org.apache.spark.sql.catalyst.expressions.UnboundedPreceding$;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.Corr;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Covariance;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevPop;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevSamp;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.expressions.aggregate.VariancePop;
import org.apache.spark.sql.catalyst.expressions.aggregate.VarianceSamp;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import scala.collection.immutable.Seq;

/** Which functions and frames are loops over columns. There is no other table of that. */
final class LoopRules {
  private final Seq<SortOrder> order;
  private final Seq<Attribute> input;
  private final ZoneId zone;
  private final boolean whole;
  private final List<ColumnarLayout.Source> sources = new ArrayList<>();
  private String reason; // why the last window is no loop

  /**
   * Creates the rules of an operator.
   *
   * @param order the order of rows within a series
   * @param input the columns of the rows, all of fixed width or texts
   * @param zone the session's time zone
   * @param whole whether tasks have whole series, and not ranges of them
   */
  LoopRules(Seq<SortOrder> order, Seq<Attribute> input, ZoneId zone, boolean whole) {
    this(order, input, zone, whole, null);
    for (Attribute column : ScalaInterop.list(input)) {
      sources.add(ColumnarLayout.asIs(sources.size(), column.dataType()));
    }
  }

  private LoopRules(
      Seq<SortOrder> order, Seq<Attribute> input, ZoneId zone, boolean whole, String firstReason) {
    this.order = order;
    this.input = input;
    this.zone = zone;
    this.whole = whole;
    this.reason = firstReason;
  }

  /** Returns rules for rows that stay rows, of columns of any type. */
  static LoopRules ofRows(Seq<SortOrder> order, Seq<Attribute> input, ZoneId zone, boolean whole) {
    return new LoopRules(order, input, zone, whole, "");
  }

  /** Returns the columns that are read: those of the rows, then others for functions. */
  List<ColumnarLayout.Source> sources() {
    return sources;
  }

  /** Returns why there is no loop for the window that was last asked for. */
  String reason() {
    return reason;
  }

  private LoopCall noCall(String why) {
    reason = why;
    return null;
  }

  private FrameBounds noBounds(String why) {
    reason = why;
    return null;
  }

  private List<Integer> noColumns(String why) {
    reason = why;
    return null;
  }

  /** Returns the loop for a window, or null if there is none. */
  LoopCall call(WindowExpression window) {
    Expression function = window.windowFunction();
    if (function instanceof AggregateExpression aggregate) {
      if (aggregate.filter().isDefined() || aggregate.isDistinct()) {
        return noCall("it is DISTINCT or has a FILTER");
      }
      function = aggregate.aggregateFunction();
    }
    FrameExtent extent = FrameExtent.of(window);
    if (isRank(function)) {
      return extent == FrameExtent.ROWS || function instanceof CumeDist
          ? new LoopCall(function, extent, null, List.of())
          : noCall("%s has another frame than usual".formatted(function.prettyName()));
    }
    if (extent != null && !extent.isRest()) {
      List<Integer> columns = columns(function, false);
      return columns == null ? null : new LoopCall(function, extent, null, columns);
    }
    FrameBounds bounds = bounds(window);
    List<Integer> columns = bounds == null ? null : columns(function, !bounds.isFromFirst());
    return columns == null ? null : new LoopCall(function, null, bounds, columns);
  }

  private static boolean isRank(Expression function) {
    return function instanceof RowNumber
        || function instanceof Rank
        || function instanceof DenseRank
        || function instanceof PercentRank
        || function instanceof CumeDist
        || (function instanceof NTile tiles && tiles.buckets() instanceof Literal);
  }

  private FrameBounds bounds(WindowExpression window) {
    if (window.windowFunction() instanceof FrameLessOffsetWindowFunction
        || !(window.windowSpec().frameSpecification() instanceof SpecifiedWindowFrame frame)) {
      return noBounds("%s has no frame".formatted(window.windowFunction().prettyName()));
    }
    boolean toLast = frame.upper() == UnboundedFollowing$.MODULE$;
    if (toLast && !whole) {
      return noBounds("its frames go to the last row");
    }
    boolean fromFirst = frame.lower() == UnboundedPreceding$.MODULE$;
    if (frame.frameType() == RowFrame$.MODULE$) {
      Integer lower = fromFirst ? null : OpenBound.rows(frame.lower());
      Integer upper = toLast ? null : OpenBound.rows(frame.upper());
      return (upper == null && !toLast) || (lower == null && !fromFirst)
          ? noBounds("its bounds are no numbers")
          : new RowBounds(lower, upper);
    }
    return order.size() == 1 && order.apply(0).child() instanceof Attribute key
        ? keyBounds(order.apply(0), key, frame)
        : noBounds("RANGE frames of more than one column are rows");
  }

  private FrameBounds keyBounds(SortOrder by, Attribute key, SpecifiedWindowFrame frame) {
    boolean fromFirst = frame.lower() == UnboundedPreceding$.MODULE$;
    KeyStep lower = fromFirst ? null : KeyStep.of(by, frame.lower(), zone);
    boolean toLast = frame.upper() == UnboundedFollowing$.MODULE$;
    KeyStep upper = toLast ? null : KeyStep.of(by, frame.upper(), zone);
    if ((upper == null && !toLast) || (lower == null && !fromFirst)) {
      return noBounds("RANGE frames of %s are rows".formatted(key.dataType().sql()));
    }
    boolean floating = WordType.of(key.dataType()).isFloating();
    return new KeyBounds(
        column(key, floating ? ElementType.F64 : ElementType.I64),
        by.direction() == Descending$.MODULE$,
        by.nullOrdering() == NullsFirst$.MODULE$,
        lower,
        upper);
  }

  /** Returns which source has the cells of a column, which may be a new one. */
  private int column(Attribute column, ElementType cells) {
    ColumnarLayout.Source source =
        new ColumnarLayout.Source(ScalaInterop.ordinal(column, input), column.dataType(), cells);
    if (!sources.contains(source)) {
      sources.add(source);
    }
    return sources.indexOf(source);
  }

  /** Returns which sources have the values of a function, or null if it is no loop. */
  private List<Integer> columns(Expression function, boolean moving) {
    if (function instanceof Count count) {
      return counted(count);
    } else if (function instanceof First first) {
      return asIs(first.child());
    } else if (function instanceof Last last) {
      return asIs(last.child());
    } else if (function instanceof NthValue nth) {
      return nth.offset() instanceof Literal
          ? asIs(nth.input())
          : noColumns("its number is no constant");
    } else if (function instanceof Sum || function instanceof Average) {
      return added(function, moving);
    } else if (function instanceof Min || function instanceof Max) {
      Expression value = function.children().apply(0);
      WordType word = WordType.of(value.dataType());
      boolean floating = word != null && word.isFloating();
      return word == null && !Texts.isText(value.dataType())
          ? other(function)
          : read(value, floating ? ElementType.F64 : ElementType.I64);
    } else if (function instanceof BitAggregate) {
      return read(function.children().apply(0), ElementType.I64);
    } else if (function instanceof Corr corr && !moving && divisionFails(corr)) {
      return noColumns("corr from the first row on may divide by zero");
    }
    boolean moments =
        function instanceof StddevSamp
            || function instanceof StddevPop
            || function instanceof VarianceSamp
            || function instanceof VariancePop
            || function instanceof Covariance
            || function instanceof Corr;
    return moments ? pairs(function) : other(function);
  }

  /** Tells whether a division by zero is an error, as was so when Spark made the expression. */
  private static boolean divisionFails(Corr corr) {
    return corr.evaluateExpression()
        .exists(each -> each instanceof Divide divide && divide.failOnError());
  }

  private List<Integer> other(Expression function) {
    StringBuilder types = new StringBuilder();
    for (Expression child : ScalaInterop.list(function.children())) {
      types.append(types.isEmpty() ? "" : ", ").append(child.dataType().sql());
    }
    return noColumns("%s(%s) is no loop over columns".formatted(function.prettyName(), types));
  }

  private List<Integer> read(Expression value, ElementType cells) {
    Expression column = value instanceof UnscaledValue unscaled ? unscaled.child() : value;
    if (cells == null) {
      return noColumns("it is of %s".formatted(value.dataType().sql()));
    }
    return column instanceof Attribute attribute
        ? List.of(column(attribute, cells))
        : noColumns("it is of no column");
  }

  private List<Integer> asIs(Expression value) {
    return read(value, ColumnarLayout.carriedAs(value.dataType()));
  }

  private List<Integer> counted(Count count) {
    List<Integer> columns = new ArrayList<>();
    for (Expression child : ScalaInterop.list(count.children())) {
      if (child.nullable()) {
        List<Integer> column = asIs(child);
        if (column == null) {
          return null;
        }
        columns.addAll(column);
      }
    }
    return columns;
  }

  private List<Integer> added(Expression function, boolean moving) {
    Expression value = function.children().apply(0);
    boolean decimal = value.dataType() instanceof DecimalType; // whose sum does not overflow
    if (!whole && !moving && function instanceof Sum sum && Sums.isNullOnOverflow(sum)) {
      return noColumns("try_sum goes on from no other range");
    } else if (value.dataType() instanceof IntegralType) {
      // Means are added as doubles, but of what frames move over.
      boolean whole = function instanceof Sum || moving;
      return read(value, whole ? ElementType.I64 : ElementType.F64);
    }
    if (decimal) {
      return WordType.of(value.dataType()) == null ? other(function) : asIs(value);
    }
    boolean floating =
        value.dataType().equals(DataTypes.DoubleType)
            || value.dataType().equals(DataTypes.FloatType);
    return floating ? read(value, ElementType.F64) : other(function);
  }

  private List<Integer> pairs(Expression function) {
    List<Integer> columns = new ArrayList<>();
    for (Expression child : ScalaInterop.list(function.children())) {
      List<Integer> column = read(child, ElementType.F64);
      if (column == null) {
        return null;
      }
      columns.addAll(column);
    }
    return columns;
  }
}
