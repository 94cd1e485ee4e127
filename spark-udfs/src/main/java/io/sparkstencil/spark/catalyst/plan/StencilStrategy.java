/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;

/** Plans {@link StencilNode} as {@link StencilExec}. */
public final class StencilStrategy extends SparkStrategy {
  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    if (!(plan instanceof StencilNode node)) {
      return ScalaInterop.seqOf();
    }
    return ScalaInterop.seqOf(new StencilExec(node.series(), planLater(node.child())));
  }
}
