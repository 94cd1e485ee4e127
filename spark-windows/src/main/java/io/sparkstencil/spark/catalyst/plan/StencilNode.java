/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.UnaryPlan;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;

/** The logical plan of stencils over the ordered rows of its child. */
public final class StencilNode extends UnaryPlan {
  private final SeriesStencils series;

  /**
   * Creates the node from its elements, as Spark does.
   *
   * <p>The parameters are the components of {@link SeriesStencils}, and the rows.
   */
  public StencilNode(
      Seq<Expression> stencils,
      Seq<Attribute> results,
      Seq<Expression> partitionSpec,
      Seq<SortOrder> orderSpec,
      boolean ordered,
      String engine,
      LogicalPlan child) {
    this(new SeriesStencils(stencils, results, partitionSpec, orderSpec, ordered, engine), child);
  }

  StencilNode(SeriesStencils series, LogicalPlan child) {
    super(child);
    this.series = series;
  }

  SeriesStencils series() {
    return series;
  }

  @Override
  public Seq<Attribute> output() {
    return series.output(child().output());
  }

  @Override
  public LogicalPlan withNewChildInternal(LogicalPlan newChild) {
    return new StencilNode(series, newChild);
  }

  @Override
  public AttributeSet producedAttributes() {
    return series.produced();
  }

  @Override
  public List<Object> elements() {
    return series.elements(child());
  }

  @Override
  public String productPrefix() {
    return "Stencil";
  }

  /** Plans {@link StencilNode} as {@link StencilExec}. */
  public static final class Strategy extends SparkStrategy {
    @Override
    public Seq<SparkPlan> apply(LogicalPlan plan) {
      if (!(plan instanceof StencilNode node)) {
        return ScalaInterop.seqOf();
      }
      KeyColumns keys = new KeyColumns(node.series().partitionSpec(), node.series().orderSpec());
      SparkPlan stencil =
          new StencilExec(node.series().by(keys), keys.with(planLater(node.child())));
      return ScalaInterop.seqOf(keys.without(node.output(), stencil));
    }
  }
}
