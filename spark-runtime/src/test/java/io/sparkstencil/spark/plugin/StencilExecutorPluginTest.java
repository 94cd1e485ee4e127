/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThatCode;

import com.codahale.metrics.MetricRegistry;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.Test;

class StencilExecutorPluginTest {
  /** An executor with a wrong option, whose driver cannot be reached, as Spark says it. */
  private static final class Unreachable implements PluginContext {
    private final MetricRegistry metrics = new MetricRegistry();

    @Override
    public MetricRegistry metricRegistry() {
      return metrics;
    }

    @Override
    public SparkConf conf() {
      return new SparkConf(false).set(StencilOptions.WARM_UP.key(), "perhaps");
    }

    @Override
    public String executorID() {
      return "7";
    }

    @Override
    public String hostname() {
      return "localhost";
    }

    @Override
    public void send(Object message) {
      throw new IllegalStateException("Driver endpoint is not known.");
    }

    @Override
    public Object ask(Object message) {
      throw new IllegalStateException("Driver endpoint is not known.");
    }

    @Override
    public Map<String, ResourceInformation> resources() {
      return Map.of();
    }
  }

  @Test
  void aDriverThatCannotBeToldWhatIsWrongDoesNotEndTheExecutor() {
    StencilExecutorPlugin plugin = new StencilExecutorPlugin();
    Map<String, String> otherVersion = Map.of(StencilDriverPlugin.VERSION, "0.0.1-of-another-jar");
    assertThatCode(() -> plugin.init(new Unreachable(), otherVersion)).doesNotThrowAnyException();
    assertThatCode(plugin::shutdown).doesNotThrowAnyException();
  }
}
