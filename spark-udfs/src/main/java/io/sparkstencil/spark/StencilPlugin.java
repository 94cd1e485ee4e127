/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import io.sparkstencil.spark.plugin.StencilDriverPlugin;
import io.sparkstencil.spark.plugin.StencilExecutorPlugin;
import io.sparkstencil.spark.ui.StencilActivity;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Spark Stencil in driver and executors: {@code spark.plugins=io.sparkstencil.spark.StencilPlugin}.
 * Checks the options when the application starts, opens engines when an executor starts, and closes
 * them in order when it stops, and adds a tab to Spark's web pages. Stencils run without it, too;
 * the first task then opens the engines, and neither Spark's metrics system nor its pages show
 * them.
 *
 * <pre>{@code
 * SparkSession session =
 *     SparkSession.builder().config("spark.plugins", StencilPlugin.class.getName()).getOrCreate();
 * }</pre>
 */
public final class StencilPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new StencilDriverPlugin(StencilActivity::show);
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new StencilExecutorPlugin();
  }
}
