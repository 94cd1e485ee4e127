/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.windows;

import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.conf.StencilConf;
import org.apache.spark.sql.catalyst.plans.logical.Window;

/** What must hold of all windows of a node together for stencils to compute any. */
final class NodeRules {
  private final StencilConf conf;

  NodeRules(StencilConf conf) {
    this.conf = conf;
  }

  /** Returns why Spark computes all windows of the node, or null if it need not. */
  String refusal(Window window) {
    if (window.orderSpec().isEmpty()) {
      return "it has no ORDER BY";
    }
    if (window.child().isStreaming()) {
      return "it is over a stream";
    }
    boolean partitioned = !window.partitionSpec().isEmpty();
    if (!partitioned && !conf.get(SqlOptions.UNPARTITIONED_ENABLED)) {
      return SqlOptions.UNPARTITIONED_ENABLED.key() + " is false";
    }
    if (partitioned && Rapids.isActive()) {
      return "RAPIDS computes windows with PARTITION BY";
    }
    return null;
  }
}
