/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.error.ShownText;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.StencilConf;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;

/** The plugin in the driver: checks the options and hears from executors that cannot start. */
public final class StencilDriverPlugin implements DriverPlugin {
  /** The key under which executors are told the driver's version. */
  static final String VERSION = "version";

  private static final String RESOURCE = "/io/sparkstencil/spark/version.properties";

  private static final System.Logger LOG = System.getLogger(StencilDriverPlugin.class.getName());

  private final Consumer<SparkContext> whenChecked;

  /**
   * Creates the plugin.
   *
   * @param whenChecked what is done with an application whose options are right
   */
  public StencilDriverPlugin(Consumer<SparkContext> whenChecked) {
    this.whenChecked = whenChecked;
  }

  /**
   * Checks the options; throws, and so stops the application, if one is wrong.
   *
   * @return what executors are told
   */
  @Override
  public Map<String, String> init(SparkContext context, PluginContext plugin) {
    StencilConf conf = SessionOptions.ofApplication(plugin.conf());
    String version = version();
    LOG.log(
        System.Logger.Level.INFO,
        "Spark Stencil {0}, options {1}",
        version,
        conf.values().isEmpty() ? "at their defaults" : conf.values().toString());
    whenChecked.accept(context);
    return Map.of(VERSION, version);
  }

  /** Logs what an executor reports: a text. */
  @Override
  public Object receive(Object message) {
    LOG.log(System.Logger.Level.WARNING, ShownText.printable(String.valueOf(message)));
    return null;
  }

  /** Returns the version of this library, which the build writes into its jar. */
  static String version() {
    try (InputStream in = StencilDriverPlugin.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("there is no %s in the jar".formatted(RESOURCE));
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
