/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.CentralMomentAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Covariance;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.MaxMinBy;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.PearsonCorrelation;
import org.apache.spark.sql.catalyst.expressions.aggregate.Percentile;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import scala.Option;

/**
 * Aggregates with a FILTER, which windows may have from Spark 4.2 on, as aggregates of a column
 * that is null where the filter does not hold. That is the same for functions that skip nulls.
 */
final class FilteredArguments {
  private static final int NONE = -1;

  private final List<Alias> columns = new ArrayList<>();

  /** Returns the columns to be computed before the windows. */
  List<Alias> columns() {
    return columns;
  }

  /** Returns a named expression without the filters that can be done without. */
  NamedExpression without(NamedExpression named) {
    return (NamedExpression) without((Expression) named);
  }

  private Expression without(Expression expression) {
    if (expression instanceof AggregateExpression aggregate && aggregate.filter().isDefined()) {
      return without(aggregate);
    }
    return expression.mapChildren(this::without);
  }

  private Expression without(AggregateExpression aggregate) {
    AggregateFunction function = aggregate.aggregateFunction();
    int place = skipped(function);
    if (place == NONE || aggregate.isDistinct()) {
      return aggregate;
    }
    List<Expression> arguments = new ArrayList<>(ScalaInterop.list(function.children()));
    arguments.set(place, column(aggregate.filter().get(), arguments.get(place)));
    return new AggregateExpression(
        (AggregateFunction) function.withNewChildren(ScalaInterop.seq(arguments)),
        aggregate.mode(),
        aggregate.isDistinct(),
        Option.empty(),
        aggregate.resultId());
  }

  /** Returns the place of an argument without which a function skips a row. */
  private static int skipped(AggregateFunction function) {
    if (function instanceof MaxMinBy) {
      return 1;
    }
    boolean skips =
        function instanceof Count
            || function instanceof Sum
            || function instanceof Average
            || function instanceof Min
            || function instanceof Max
            || function instanceof BitAggregate
            || function instanceof CentralMomentAgg
            || function instanceof Covariance
            || function instanceof PearsonCorrelation
            || function instanceof Percentile
            || (function instanceof First first && first.ignoreNulls())
            || (function instanceof Last last && last.ignoreNulls());
    return skips ? 0 : NONE;
  }

  /** Returns the column of an argument where a filter holds; the same column for the same ones. */
  private Expression column(Expression filter, Expression argument) {
    if (argument instanceof UnscaledValue unscaled) {
      return unscaled.withNewChildren(ScalaInterop.seqOf(column(filter, unscaled.child())));
    }
    Expression value = new If(filter, argument, new Literal(null, argument.dataType()));
    for (Alias known : columns) {
      if (known.child().semanticEquals(value)) {
        return known.toAttribute();
      }
    }
    Alias made = Expressions.alias(value, "_filtered");
    columns.add(made);
    return made.toAttribute();
  }
}
