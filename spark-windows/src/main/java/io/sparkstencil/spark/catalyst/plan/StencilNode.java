/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.UnaryPlan;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;

/** The logical plan of stencils over the ordered rows of its child. */
public final class StencilNode extends UnaryPlan {
  private final Seq<Expression> stencils;
  private final Seq<Attribute> results;
  private final Seq<Expression> partitionSpec;
  private final Seq<SortOrder> orderSpec;
  private final boolean ordered;
  private final String engine;

  /**
   * Creates the node from its elements, as Spark does. Stencils and names are apart, as Spark takes
   * names off expressions in nodes that it does not know.
   *
   * @param stencils {@link StencilExpression}s over attributes of the rows
   * @param results the columns of their results
   * @param partitionSpec keys of the series; empty if all rows are one series
   * @param orderSpec the order of each series
   * @param ordered whether the rows are in this order already
   * @param engine the name of an engine, or {@code auto}
   */
  public StencilNode(
      Seq<Expression> stencils,
      Seq<Attribute> results,
      Seq<Expression> partitionSpec,
      Seq<SortOrder> orderSpec,
      boolean ordered,
      String engine,
      LogicalPlan child) {
    super(child);
    if (stencils.isEmpty() || stencils.size() != results.size()) {
      throw new IllegalArgumentException(
          "%d stencils have %d results; there must be as many, and one at least"
              .formatted(stencils.size(), results.size()));
    }
    this.stencils = stencils;
    this.results = results;
    this.partitionSpec = partitionSpec;
    this.orderSpec = orderSpec;
    this.ordered = ordered;
    this.engine = engine;
  }

  @Override
  public Seq<Attribute> output() {
    return ScalaInterop.concat(child().output(), results);
  }

  @Override
  public LogicalPlan withNewChildInternal(LogicalPlan newChild) {
    return new StencilNode(stencils, results, partitionSpec, orderSpec, ordered, engine, newChild);
  }

  @Override
  public AttributeSet producedAttributes() {
    return AttributeSet$.MODULE$.apply(ScalaInterop.<Expression>seq(ScalaInterop.list(results)));
  }

  @Override
  public List<Object> elements() {
    return List.of(stencils, results, partitionSpec, orderSpec, ordered, engine, child());
  }

  @Override
  public String productPrefix() {
    return StencilExec.NODE_NAME;
  }

  /** Returns the operator over a plan of the rows. */
  private SparkPlan planned(SparkPlan rows) {
    KeyColumns keys = new KeyColumns(partitionSpec, orderSpec);
    List<NamedExpression> named = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      named.add(Expressions.alias(stencils.apply(i), results.apply(i)));
    }
    StencilExec stencil =
        new StencilExec(
            ScalaInterop.seq(named),
            keys.keys(),
            keys.order(),
            ordered ? WindowPlace.AS_THEY_COME : WindowPlace.ofStencils(keys.keys()),
            engine,
            SeriesWay.TOGETHER,
            keys.with(rows));
    return keys.without(output(), stencil);
  }

  /** Plans {@link StencilNode} as {@link StencilExec}. */
  public static final class Strategy extends SparkStrategy {
    @Override
    public Seq<SparkPlan> apply(LogicalPlan plan) {
      if (!(plan instanceof StencilNode node)) {
        return ScalaInterop.seqOf();
      }
      return ScalaInterop.seqOf(node.planned(planLater(node.child())));
    }
  }
}
