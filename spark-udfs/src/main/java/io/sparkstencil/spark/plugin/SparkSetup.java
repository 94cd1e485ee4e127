/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import com.codahale.metrics.MetricRegistry;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.spark.catalyst.interop.SparkOptions;
import io.sparkstencil.spark.conf.StencilConf;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;

/** How a runtime is set up from what Spark knows. */
final class SparkSetup {
  private static final String DRIVER = "driver";

  private SparkSetup() {}

  /** Returns the setup of a process without the plugin; {@code environment} may be null. */
  static ExecutorRuntime.Setup of(SparkEnv environment) {
    return new ExecutorRuntime.Setup(
        environment == null ? StencilConf.DEFAULTS : SparkOptions.ofApplication(environment.conf()),
        Engines.discover(),
        List.of(),
        environment == null || environment.executorId().equals(DRIVER),
        new MetricRegistry(),
        DeviceLoss::exitProcess);
  }

  /** Returns the setup of an executor with the plugin. */
  static ExecutorRuntime.Setup of(PluginContext context) {
    ResourceInformation gpus = context.resources().get("gpu");
    return new ExecutorRuntime.Setup(
        SparkOptions.ofApplication(context.conf()),
        Engines.discover(),
        gpus == null ? List.of() : Arrays.asList(gpus.addresses()),
        context.executorID().equals(DRIVER),
        context.metricRegistry(),
        DeviceLoss::exitProcess);
  }
}
