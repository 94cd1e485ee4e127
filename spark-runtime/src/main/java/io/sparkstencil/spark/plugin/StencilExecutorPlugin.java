/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import java.io.IOException;
import java.util.Map;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;

/**
 * The plugin in an executor: starts the runtime and stops it.
 *
 * <p>Nothing is thrown from {@link #init}: Spark would end the executor, and the cluster manager
 * would start the next one, which fails in the same way, for ever. Tasks start the runtime once
 * more and fail with the reason.
 */
public final class StencilExecutorPlugin implements ExecutorPlugin {
  private static final System.Logger LOG = System.getLogger(StencilExecutorPlugin.class.getName());

  private ExecutorRuntime runtime;

  @Override
  public void init(PluginContext context, Map<String, String> fromDriver) {
    try {
      String version = StencilDriverPlugin.version();
      String expected = fromDriver.getOrDefault(StencilDriverPlugin.VERSION, version);
      if (!version.equals(expected)) {
        report(
            context,
            "has Spark Stencil %s but the driver has %s; give all nodes the same jar"
                .formatted(version, expected));
      }
      runtime = ExecutorRuntime.start(RuntimeSetup.of(context), SparkEnv.get());
    } catch (RuntimeException | LinkageError e) {
      LOG.log(System.Logger.Level.ERROR, "Spark Stencil cannot start in this executor", e);
      report(context, "cannot start Spark Stencil: " + e.getMessage());
    }
  }

  private static void report(PluginContext context, String what) {
    try {
      context.send("executor %s %s".formatted(context.executorID(), what));
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "the driver cannot be told", e);
    }
  }

  @Override
  public void shutdown() {
    if (runtime != null) {
      runtime.close();
    }
  }
}
