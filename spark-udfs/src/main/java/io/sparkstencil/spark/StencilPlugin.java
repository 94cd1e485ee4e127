/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import io.sparkstencil.spark.plugin.StencilDriverPlugin;
import io.sparkstencil.spark.plugin.StencilExecutorPlugin;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Spark Stencil in driver and executors: {@code spark.plugins=io.sparkstencil.spark.StencilPlugin}.
 * Checks the options when the application starts, opens engines when an executor starts, and closes
 * them in order when it stops. Stencils run without it, too; the first task then opens the engines,
 * and Spark's metrics system does not show them.
 */
public final class StencilPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new StencilDriverPlugin();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new StencilExecutorPlugin();
  }
}
