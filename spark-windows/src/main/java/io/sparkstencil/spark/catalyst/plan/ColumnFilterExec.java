/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.columns.ColumnFilter;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.source.OperatorMetrics;
import io.sparkstencil.spark.catalyst.source.StencilMetric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Map;

/** Leaves out rows of batches of columns. */
public final class ColumnFilterExec extends ColumnOperator {
  private static final long serialVersionUID = 1L;

  private final Expression condition;
  private final transient OperatorMetrics metrics = new OperatorMetrics();

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * @param condition a deterministic condition
   */
  public ColumnFilterExec(Expression condition, SparkPlan child) {
    super(child);
    this.condition = condition;
  }

  @Override
  public FilterExec overRows() {
    return new FilterExec(condition, child());
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new ColumnFilterExec(condition, newChild);
  }

  private java.util.Map<StencilMetric, SQLMetric> ownMetrics() {
    return metrics.of(sparkContext(), Set.of(StencilMetric.ROWS));
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return ScalaInterop.map(StencilMetric.byName(ownMetrics()));
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    SQLMetric accepted = ownMetrics().get(StencilMetric.ROWS);
    return child()
        .executeColumnar()
        .mapPartitionsWithEvaluator(
            new ColumnFilter(inTurn(), child().output(), accepted),
            ScalaInterop.tag(ColumnarBatch.class));
  }

  /**
   * Returns the condition as Spark's generated code evaluates it: its parts in turn, for as long as
   * they are true, those first that ask for columns that are not null, and those last that ask for
   * other values that are not null. So no row fails in a part that Spark does not come to.
   */
  private Expression inTurn() {
    FilterExec filter = overRows();
    List<Expression> parts =
        new ArrayList<>(ScalaInterop.list(filter.splitConjunctivePredicates(condition)));
    parts.sort(Comparator.comparingInt(part -> rank(part, filter))); // stable
    Expression all = parts.get(parts.size() - 1);
    for (int i = parts.size() - 2; i >= 0; i--) {
      all = new If(parts.get(i), all, Literal$.MODULE$.FalseLiteral());
    }
    return all;
  }

  private static int rank(Expression part, FilterExec filter) {
    if (!(part instanceof IsNotNull wanted)) {
      return 1;
    }
    return wanted.child() instanceof Attribute
        ? 0
        : filter.isNullIntolerant(wanted.child()) ? 2 : 1;
  }

  @Override
  public List<Object> elements() {
    return List.of(condition, child());
  }
}
