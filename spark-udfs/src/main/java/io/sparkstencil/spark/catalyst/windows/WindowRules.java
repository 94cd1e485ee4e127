/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.windows;

import io.sparkstencil.spark.catalyst.ScalaInterop;
import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.conf.StencilConf;
import java.math.BigInteger;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Complete$;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DecimalType;

/** Which window functions give Spark's own answer as stencils. */
final class WindowRules {
  private final StencilConf conf;

  WindowRules(StencilConf conf) {
    this.conf = conf;
  }

  /** Returns why a window function stays with Spark, or null if it need not. */
  String refusal(WindowExpression window) {
    if (!(window.windowFunction() instanceof AggregateExpression aggregate)) {
      return window.windowFunction().prettyName() + " is not sum, avg, min, max or count";
    }
    if (aggregate.isDistinct()) {
      return "it is DISTINCT";
    }
    if (aggregate.filter().isDefined()) {
      return "it has a FILTER";
    }
    RowFrame frame = RowFrame.of(window.windowSpec().frameSpecification());
    if (frame == null) {
      return "its frame is not ROWS BETWEEN two given rows";
    }
    int reach = conf.get(SqlOptions.MAX_FRAME_REACH);
    if (frame.reach() > reach) {
      return "its frame reaches %d rows, more than %s=%d"
          .formatted(frame.reach(), SqlOptions.MAX_FRAME_REACH.key(), reach);
    }
    return aggregate.mode() == Complete$.MODULE$
        ? refusal(aggregate.aggregateFunction(), frame)
        : "it is aggregated in parts";
  }

  private String refusal(AggregateFunction function, RowFrame frame) {
    for (Expression child : ScalaInterop.list(function.children())) {
      if (!child.deterministic()) {
        return "its value is not deterministic";
      }
    }
    if (function instanceof Count) {
      return null;
    } else if (function instanceof Sum sum) {
      return numericRefusal(sum.child(), frame);
    } else if (function instanceof Average average) {
      return numericRefusal(average.child(), frame);
    } else if (function instanceof Min || function instanceof Max) {
      return typeRefusal(function.children().apply(0));
    }
    return function.prettyName() + " is not sum, avg, min, max or count";
  }

  private String typeRefusal(Expression value) {
    ValueType type = ValueType.of(StencilCalls.stored(value).dataType());
    if (type == null) {
      return "values of type %s are not computed as stencils".formatted(value.dataType().sql());
    }
    return conf.get(type.option()) ? null : type.option().key() + " is false";
  }

  private String numericRefusal(Expression value, RowFrame frame) {
    String refusal = typeRefusal(value);
    if (refusal != null) {
      return refusal;
    }
    if (ValueType.of(value.dataType()) == ValueType.DATETIME) {
      return "sums of %s are not computed as stencils".formatted(value.dataType().sql());
    }
    if (value.dataType() instanceof DecimalType decimal && !fitsLong(decimal, frame)) {
      return "a sum of %d values of type %s may have more than %d digits"
          .formatted(frame.width(), decimal.sql(), ValueType.LONG_DIGITS);
    }
    return null;
  }

  /** Tells whether no sum over the frame leaves the range of a long. */
  private static boolean fitsLong(DecimalType type, RowFrame frame) {
    BigInteger largest = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
    return largest.multiply(BigInteger.valueOf(frame.width())).bitLength() < Long.SIZE;
  }
}
