/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.frames.OpenBound;
import io.sparkstencil.spark.catalyst.interop.Rapids;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.running.Aggregates;
import io.sparkstencil.spark.catalyst.running.FrameReach;
import io.sparkstencil.spark.catalyst.running.RowFrame;
import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.exec.CellKind;
import java.math.BigInteger;
import java.time.ZoneId;
import org.apache.spark.sql.catalyst.expressions.AggregateWindowFunction;
import org.apache.spark.sql.catalyst.expressions.CumeDist;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.NTile;
import org.apache.spark.sql.catalyst.expressions.NthValue;
import org.apache.spark.sql.catalyst.expressions.RankLike;
import org.apache.spark.sql.catalyst.expressions.RowNumber;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Complete$;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;

/**
 * Which windows give Spark's own answer as stencils, and which give it otherwise, by what tasks
 * have of a series. All rules are here, and each says why a window stays with Spark, or null if it
 * need not.
 */
final class WindowRules {
  private static final String KNOWN = " is not sum, avg, min, max, count, lag or lead";

  /** Decimals of so many digits are a long in a row. */
  private static final int LONG_DIGITS = 18;

  private final StencilConf conf;
  private final boolean partitioned;
  private final ZoneId zone = DateTimeUtils.getZoneId(SQLConf.get().sessionLocalTimeZone());

  WindowRules(StencilConf conf, boolean partitioned) {
    this.conf = conf;
    this.partitioned = partitioned;
  }

  /** Returns why all windows of a node stay with Spark. */
  String refusal(Window window) {
    if (window.child().isStreaming()) {
      return "it is over a stream";
    }
    if (!partitioned && !conf.get(SqlOptions.UNPARTITIONED_ENABLED)) {
      return SqlOptions.UNPARTITIONED_ENABLED.key() + " is false";
    }
    return partitioned && Rapids.isActive() ? "RAPIDS computes windows with PARTITION BY" : null;
  }

  /** Returns why no window of a node is computed by tasks that have this of a series. */
  String refusal(Window window, WindowPlace place) {
    if (place != WindowPlace.SERIES) { // else the option of each decides
      ConfigOption<Boolean> option = optionOf(place == WindowPlace.STATES);
      if (window.orderSpec().isEmpty()) {
        return "it has no ORDER BY";
      } else if (!conf.get(option)) {
        return option.key() + " is false";
      }
    }
    return isLimited(window.child()) ? "Spark has limited its rows" : null;
  }

  private static ConfigOption<Boolean> optionOf(boolean running) {
    return running ? SqlOptions.RUNNING_ENABLED : SqlOptions.BOUNDED_ENABLED;
  }

  /** Tells whether the optimizer found that a few rows suffice. */
  private static boolean isLimited(LogicalPlan plan) {
    if (plan instanceof Project || plan instanceof Filter) {
      return isLimited(plan.children().apply(0));
    } else if (plan instanceof LogicalQueryStage stage) { // adaptive execution plans again
      return isLimited(stage.logicalPlan());
    }
    return plan instanceof GlobalLimit || plan instanceof LocalLimit;
  }

  /** Returns why a window is not computed by tasks that have this of a series. */
  String refusal(WindowExpression window, WindowPlace place) {
    return switch (place) {
      case SERIES -> {
        ConfigOption<Boolean> option = optionOf(FrameExtent.of(window) != null);
        yield conf.get(option)
            ? functionRefusal(window.windowFunction())
            : option.key() + " is false";
      }
      case STATES -> statesRefusal(window);
      case HALOS -> halosRefusal(window);
      case CELLS, AS_THEY_COME -> "it is no stencil";
    };
  }

  private static String statesRefusal(WindowExpression window) {
    Expression function = window.windowFunction();
    FrameExtent extent = FrameExtent.of(window);
    if (extent == null) {
      return "its frame has no end without a bound";
    } else if (!isDeterministic(function)) {
      return "its values are not deterministic";
    } else if (extent.isRest() && !Aggregates.canBeJoined(function)) {
      return "its parts cannot be joined from the last row to the first";
    } else if (function instanceof AggregateExpression aggregate) {
      String refusal = partsRefusal(aggregate);
      return refusal == null ? Aggregates.refusal(aggregate.aggregateFunction()) : refusal;
    }
    boolean rank =
        function instanceof RowNumber
            || function instanceof NthValue
            || function instanceof RankLike
            || function instanceof CumeDist
            || function instanceof NTile;
    return rank ? null : function.prettyName() + " is not an aggregate or a rank";
  }

  private String halosRefusal(WindowExpression window) {
    Expression function = window.windowFunction();
    String refusal = functionRefusal(function);
    if (refusal != null) {
      return refusal;
    } else if (OpenBound.of(window) != null && !Aggregates.canBeJoined(function)) {
      return "its frame has one bound, and its parts cannot be joined";
    }
    FrameReach reach = FrameReach.of(window, zone);
    if (reach == null) {
      return "it is not known how far its frame reaches";
    }
    long values =
        function instanceof FrameLessOffsetWindowFunction neighbour
            ? RowFrame.of(neighbour).reach()
            : 0;
    return reachRefusal(Math.max(values, Math.max(reach.before(), reach.after())));
  }

  /** Returns why Spark's frames do not compute a function wherever the rows of a series are. */
  private static String functionRefusal(Expression function) {
    if (function instanceof AggregateExpression aggregate) {
      String refusal = partsRefusal(aggregate);
      AggregateFunction of = aggregate.aggregateFunction();
      if (refusal != null) {
        return refusal;
      } else if (!(of instanceof DeclarativeAggregate) && !(of instanceof ImperativeAggregate)) {
        return of.prettyName() + " is not computed in the JVM";
      }
      return isDeterministic(of) ? null : "its values are not deterministic";
    }
    boolean known =
        function instanceof AggregateWindowFunction
            || function instanceof FrameLessOffsetWindowFunction;
    if (!known) {
      return function.prettyName() + " is not an aggregate";
    }
    return isDeterministic(function) ? null : "its values are not deterministic";
  }

  /** Returns why an aggregate is not one of all rows of a frame. */
  private static String partsRefusal(AggregateExpression aggregate) {
    if (aggregate.isDistinct()) {
      return "it is DISTINCT";
    } else if (aggregate.filter().isDefined()) {
      return "it has a FILTER";
    }
    return aggregate.mode() == Complete$.MODULE$ ? null : "it is aggregated in parts";
  }

  /** Tells whether what a function reads is; Spark takes functions of an order for random. */
  private static boolean isDeterministic(Expression function) {
    return ScalaInterop.list(function.children()).stream().allMatch(Expression::deterministic);
  }

  /** Returns why a window is no stencil. */
  String refusal(WindowExpression window) {
    Expression function = window.windowFunction();
    if (window.windowSpec().orderSpec().isEmpty()) {
      return "it has no ORDER BY";
    }
    if (!isDeterministic(function)) {
      return "its values are not deterministic";
    }
    if (function instanceof FrameLessOffsetWindowFunction neighbour) {
      return refusal(neighbour);
    }
    if (!(function instanceof AggregateExpression aggregate)) {
      return function.prettyName() + KNOWN;
    }
    String ofParts = partsRefusal(aggregate);
    if (ofParts != null) {
      return ofParts;
    }
    RowFrame frame = RowFrame.of(window.windowSpec().frameSpecification());
    if (frame == null) {
      return "its frame is not ROWS BETWEEN two given rows";
    }
    String refusal = reachRefusal(frame.reach());
    return refusal == null ? refusal(aggregate.aggregateFunction(), frame) : refusal;
  }

  private String refusal(FrameLessOffsetWindowFunction neighbour) {
    if (neighbour.ignoreNulls()) {
      return "it ignores nulls";
    }
    RowFrame frame = RowFrame.of(neighbour);
    if (frame == null) {
      return "its offset is not a number of rows";
    }
    String refusal = reachRefusal(frame.reach());
    return refusal == null ? typeRefusal(neighbour.input()) : refusal;
  }

  /** Returns why a frame that reaches so many rows stays with Spark. */
  private String reachRefusal(long rows) {
    String refusal = reachRefusal(rows, SqlOptions.MAX_FRAME_REACH);
    return refusal == null && !partitioned
        ? reachRefusal(rows, SqlOptions.UNPARTITIONED_MAX_FRAME_REACH)
        : refusal;
  }

  private String reachRefusal(long rows, ConfigOption<Integer> limit) {
    int most = conf.get(limit);
    return rows <= most
        ? null
        : "its frame reaches %d rows, more than %s=%d".formatted(rows, limit.key(), most);
  }

  private String refusal(AggregateFunction function, RowFrame frame) {
    if (function instanceof Count) {
      return null;
    } else if (function instanceof Sum sum) {
      return numericRefusal(sum.child(), frame);
    } else if (function instanceof Average average) {
      return numericRefusal(average.child(), frame);
    } else if (function instanceof Min || function instanceof Max) {
      return typeRefusal(function.children().apply(0));
    }
    return function.prettyName() + KNOWN;
  }

  private String typeRefusal(Expression value) {
    ConfigOption<Boolean> option = optionOf(StencilCalls.stored(value).dataType());
    if (option == null) {
      return "values of type %s are not computed as stencils".formatted(value.dataType().sql());
    }
    return conf.get(option) ? null : option.key() + " is false";
  }

  /** Returns the option that says whether stencils take values of a type, null if they cannot. */
  private static ConfigOption<Boolean> optionOf(DataType type) {
    CellKind kind = CellKind.of(type);
    if (kind != null) {
      return kind.cells().isFloating() ? SqlOptions.FLOATING_ENABLED : SqlOptions.INTEGRAL_ENABLED;
    } else if (StencilExpression.storedKindOf(type) == null) {
      return null;
    }
    return type instanceof DecimalType ? SqlOptions.DECIMAL_ENABLED : SqlOptions.DATETIME_ENABLED;
  }

  private String numericRefusal(Expression value, RowFrame frame) {
    String refusal = typeRefusal(value);
    if (refusal != null) {
      return refusal;
    }
    if (SqlOptions.DATETIME_ENABLED.equals(optionOf(value.dataType()))) {
      return "sums of %s are not computed as stencils".formatted(value.dataType().sql());
    }
    if (value.dataType() instanceof DecimalType decimal && !fitsLong(decimal, frame)) {
      return "a sum of %d values of type %s may have more than %d digits"
          .formatted(frame.width(), decimal.sql(), LONG_DIGITS);
    }
    return null;
  }

  /** Tells whether no sum over the frame leaves the range of a long. */
  private static boolean fitsLong(DecimalType type, RowFrame frame) {
    BigInteger largest = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
    return largest.multiply(BigInteger.valueOf(frame.width())).bitLength() < Long.SIZE;
  }
}
