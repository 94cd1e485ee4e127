/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/** The plugin that users name, but for Spark's pages. */
public final class ProcessPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new StencilDriverPlugin(context -> {});
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new StencilExecutorPlugin();
  }
}
