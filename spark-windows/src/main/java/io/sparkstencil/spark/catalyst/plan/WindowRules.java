/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.spark.catalyst.interop.Rapids;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.running.RowFrame;
import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.exec.CellKind;
import java.math.BigInteger;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Complete$;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;

/** Which window functions give Spark's own answer as stencils. */
final class WindowRules {
  private static final String KNOWN = " is not sum, avg, min, max, count, lag or lead";

  /** Decimals of so many digits are a long in a row. */
  private static final int LONG_DIGITS = 18;

  private final StencilConf conf;
  private final boolean partitioned;

  WindowRules(StencilConf conf, boolean partitioned) {
    this.conf = conf;
    this.partitioned = partitioned;
  }

  /** Returns why Spark computes all windows of a node, or null if it need not. */
  String refusal(Window window) {
    if (window.child().isStreaming()) {
      return "it is over a stream";
    }
    if (!partitioned && !conf.get(SqlOptions.UNPARTITIONED_ENABLED)) {
      return SqlOptions.UNPARTITIONED_ENABLED.key() + " is false";
    }
    return partitioned && Rapids.isActive() ? "RAPIDS computes windows with PARTITION BY" : null;
  }

  /** Returns why a window function stays with Spark, or null if it need not. */
  String refusal(WindowExpression window) {
    Expression function = window.windowFunction();
    if (window.windowSpec().orderSpec().isEmpty()) {
      return "it has no ORDER BY";
    }
    if (!ScalaInterop.list(function.children()).stream().allMatch(Expression::deterministic)) {
      return "its values are not deterministic";
    }
    if (function instanceof FrameLessOffsetWindowFunction neighbour) {
      return refusal(neighbour);
    }
    if (!(function instanceof AggregateExpression aggregate)) {
      return function.prettyName() + KNOWN;
    }
    if (aggregate.isDistinct()) {
      return "it is DISTINCT";
    }
    if (aggregate.filter().isDefined()) {
      return "it has a FILTER";
    }
    if (aggregate.mode() != Complete$.MODULE$) {
      return "it is aggregated in parts";
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

  /** Returns why a frame that reaches so many rows stays with Spark, or null if it need not. */
  String reachRefusal(long rows) {
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
