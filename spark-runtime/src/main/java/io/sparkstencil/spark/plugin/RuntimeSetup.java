/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import com.codahale.metrics.MetricRegistry;
import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.StencilConf;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.apache.spark.SparkContext$;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;

/**
 * How a runtime is set up.
 *
 * @param conf values of options
 * @param providers the engines on the class path
 * @param addresses GPUs that Spark has assigned to the executor; empty if it assigns none
 * @param inDriver whether this is the driver's process, as in local mode
 * @param registry where metrics go
 * @param exit ends the process
 */
record RuntimeSetup(
    StencilConf conf,
    List<EngineProvider> providers,
    List<String> addresses,
    boolean inDriver,
    MetricRegistry registry,
    IntConsumer exit) {
  /** The exit code that says that the executor gave up because its GPU was lost. */
  static final int DEVICE_LOST_CODE = 20;

  private static final long PATIENCE_MILLIS = 10_000;
  private static final String DRIVER = SparkContext$.MODULE$.DRIVER_IDENTIFIER();

  /** Returns the setup of a process without the plugin; {@code environment} may be null. */
  static RuntimeSetup of(SparkEnv environment) {
    return environment == null
        ? of(StencilConf.DEFAULTS, List.of(), DRIVER, new MetricRegistry())
        : of(
            SessionOptions.ofApplication(environment.conf()),
            List.of(),
            environment.executorId(),
            new MetricRegistry());
  }

  /** Returns the setup of an executor with the plugin. */
  static RuntimeSetup of(PluginContext context) {
    return of(
        SessionOptions.ofApplication(context.conf()),
        gpus(context.resources()),
        context.executorID(),
        context.metricRegistry());
  }

  private static RuntimeSetup of(
      StencilConf conf, List<String> addresses, String executor, MetricRegistry registry) {
    boolean inDriver = executor.equals(DRIVER);
    return new RuntimeSetup(
        conf, Engines.discover(), addresses, inDriver, registry, RuntimeSetup::exitProcess);
  }

  /** Returns the addresses of the GPUs among the resources of an executor or a task. */
  static List<String> gpus(Map<String, ResourceInformation> resources) {
    ResourceInformation gpus = resources.get("gpu");
    return gpus == null ? List.of() : Arrays.asList(gpus.addresses());
  }

  /**
   * Ends this process, from a task's thread, which thereby never reports a failure of its own: the
   * scheduler sees a lost executor. Hooks that hang, as calls to a dead device may, are cut short.
   */
  static void exitProcess(int code) {
    Thread halt =
        new Thread(
            () -> {
              try {
                Thread.sleep(PATIENCE_MILLIS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              Runtime.getRuntime().halt(code);
            },
            "stencil-halt");
    halt.setDaemon(true);
    halt.start();
    System.exit(code);
  }
}
