/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** An operator over one other. Operators are equal if they have equal {@link #elements}. */
public abstract class UnaryOperator extends SparkPlan implements UnaryExecNode, CaseClass {
  private static final long serialVersionUID = 1L;

  private final SparkPlan child;

  protected UnaryOperator(SparkPlan child) {
    this.child = child;
  }

  @Override
  public final SparkPlan child() {
    return child;
  }

  @Override
  public final Seq<SparkPlan> children() {
    return ScalaInterop.seqOf(child);
  }

  @Override
  public final SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> newChildren) {
    return withNewChildInternal(newChildren.apply(0));
  }

  @Override
  public String verboseStringWithOperatorId() {
    return UnaryExecNode.super.verboseStringWithOperatorId();
  }

  @Override
  public final boolean equals(Object other) {
    return other != null
        && getClass() == other.getClass()
        && elements().equals(((UnaryOperator) other).elements());
  }

  @Override
  public final int hashCode() {
    return elements().hashCode();
  }
}
