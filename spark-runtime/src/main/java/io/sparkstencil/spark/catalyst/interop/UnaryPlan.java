/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.UnaryNode;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** A logical plan over one other. Plans are equal if they have equal {@link #elements}. */
public abstract class UnaryPlan extends LogicalPlan implements UnaryNode, CaseClass {
  private final LogicalPlan child;

  protected UnaryPlan(LogicalPlan child) {
    this.child = child;
  }

  @Override
  public final LogicalPlan child() {
    return child;
  }

  @Override
  public final Seq<LogicalPlan> children() {
    return ScalaInterop.seqOf(child);
  }

  @Override
  public final LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> newChildren) {
    return withNewChildInternal(newChildren.apply(0));
  }

  @Override
  public final boolean equals(Object other) {
    return other != null
        && getClass() == other.getClass()
        && elements().equals(((UnaryPlan) other).elements());
  }

  @Override
  public final int hashCode() {
    return elements().hashCode();
  }
}
