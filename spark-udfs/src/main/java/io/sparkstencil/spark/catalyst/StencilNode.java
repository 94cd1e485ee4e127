/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.UnaryNode;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** The logical plan of stencils over the ordered rows of its child. */
public final class StencilNode extends LogicalPlan implements UnaryNode {
  private final Seq<Expression> stencils;
  private final Seq<Attribute> results;
  private final Seq<Expression> partitionSpec;
  private final Seq<SortOrder> orderSpec;
  private final boolean ordered;
  private final String engine;
  private final LogicalPlan child;
  private transient Seq<LogicalPlan> children;

  /**
   * Creates the node.
   *
   * @param stencils {@link StencilExpression}s over attributes of the child
   * @param results the columns of their results
   * @param partitionSpec keys of the series; empty if all rows are one series
   * @param orderSpec the order of each series
   * @param ordered whether the rows of the child are in this order already
   * @param engine the name of an engine, or {@code auto}
   * @param child the rows
   */
  public StencilNode(
      Seq<Expression> stencils,
      Seq<Attribute> results,
      Seq<Expression> partitionSpec,
      Seq<SortOrder> orderSpec,
      boolean ordered,
      String engine,
      LogicalPlan child) {
    this.stencils = stencils;
    this.results = results;
    this.partitionSpec = partitionSpec;
    this.orderSpec = orderSpec;
    this.ordered = ordered;
    this.engine = engine;
    this.child = child;
  }

  Seq<Expression> stencils() {
    return stencils;
  }

  Seq<Attribute> results() {
    return results;
  }

  Seq<Expression> partitionSpec() {
    return partitionSpec;
  }

  Seq<SortOrder> orderSpec() {
    return orderSpec;
  }

  boolean ordered() {
    return ordered;
  }

  String engine() {
    return engine;
  }

  @Override
  public LogicalPlan child() {
    return child;
  }

  @Override
  public Seq<LogicalPlan> children() {
    if (children == null) {
      children = ScalaInterop.seqOf(child);
    }
    return children;
  }

  @Override
  public Seq<Attribute> output() {
    return ScalaInterop.concat(child.output(), results);
  }

  @Override
  public LogicalPlan withNewChildInternal(LogicalPlan newChild) {
    return new StencilNode(stencils, results, partitionSpec, orderSpec, ordered, engine, newChild);
  }

  @Override
  public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> newChildren) {
    return withNewChildInternal(newChildren.apply(0));
  }

  @Override
  public AttributeSet producedAttributes() {
    return AttributeSet$.MODULE$.apply(ScalaInterop.<Expression>seq(ScalaInterop.list(results)));
  }

  @Override
  public int productArity() {
    return 7;
  }

  @Override
  public Object productElement(int index) {
    return switch (index) {
      case 0 -> stencils;
      case 1 -> results;
      case 2 -> partitionSpec;
      case 3 -> orderSpec;
      case 4 -> ordered;
      case 5 -> engine;
      case 6 -> child;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  @Override
  public String productPrefix() {
    return "Stencil";
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof StencilNode;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StencilNode that
        && stencils.equals(that.stencils)
        && results.equals(that.results)
        && partitionSpec.equals(that.partitionSpec)
        && orderSpec.equals(that.orderSpec)
        && ordered == that.ordered
        && engine.equals(that.engine)
        && child.equals(that.child);
  }

  @Override
  public int hashCode() {
    return Objects.hash(stencils, results, partitionSpec, orderSpec, ordered, engine, child);
  }
}
