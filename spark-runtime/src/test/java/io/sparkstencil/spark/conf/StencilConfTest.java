/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.kernels.gpu.GpuOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StencilConfTest {
  @Test
  void readsEveryOptionAndItsDefault() {
    Map<String, String> all = new HashMap<>();
    for (ConfigOption<?> option : StencilOptions.ALL) {
      assertThat(StencilConf.DEFAULTS.get(option)).isEqualTo(option.defaultValue());
      assertThat(option.key()).startsWith(StencilOptions.PREFIX);
      assertThat(option.doc()).endsWith(".");
      all.put(option.key(), option.defaultText());
    }
    StencilConf conf = new StencilConf(all);
    for (ConfigOption<?> option : StencilOptions.ALL) {
      assertThat(conf.get(option)).isEqualTo(option.defaultValue());
    }
    assertThat(all).hasSameSizeAs(StencilOptions.ALL);
  }

  @Test
  void readsValuesThatAreSet() {
    StencilConf conf =
        new StencilConf(
            Map.of(
                "spark.stencil.engine", "CPU",
                "spark.stencil.fallback", "false",
                "spark.stencil.warmUp", "false",
                "spark.stencil.shutdownTimeout", "2s",
                "spark.stencil.gpu.device", "3",
                "spark.stencil.gpu.concurrentTasks", "4",
                "spark.stencil.gpu.onDeviceLost", "cpu",
                "spark.app.name", "other"));
    assertThat(conf.get(StencilOptions.ENGINE)).isEqualTo("cpu");
    assertThat(conf.get(StencilOptions.FALLBACK)).isFalse();
    assertThat(conf.get(StencilOptions.WARM_UP)).isFalse();
    assertThat(conf.get(StencilOptions.SHUTDOWN_TIMEOUT)).isEqualTo(2000);
    assertThat(conf.get(GpuOptions.DEVICE)).isEqualTo("3");
    assertThat(conf.get(StencilOptions.GPU_CONCURRENT_TASKS)).isEqualTo(4);
    assertThat(conf.get(StencilOptions.GPU_ON_DEVICE_LOST)).isEqualTo("cpu");
    assertThat(conf.values()).doesNotContainKey("spark.app.name").hasSize(7);
  }

  @Test
  void refusesUnknownEnginesNamingTheKey() {
    assertThatThrownBy(() -> new StencilConf(Map.of("spark.stencil.engine", "tpu")))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageStartingWith(
            "spark.stencil.engine=tpu: unknown engine \"tpu\"; known engines are auto,");
  }

  @Test
  void takesNoNoticeOfOptionsOfEarlierVersions() {
    StencilConf conf = new StencilConf(Map.of("spark.stencil.sql.columnar.enabled", "false"));
    assertThat(conf.values()).isEmpty();
  }

  @Test
  void refusesUnknownKeysAndNamesTheNearest() {
    assertThatThrownBy(() -> new StencilConf(Map.of("spark.stencil.gpu.concurentTask", "4")))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessage(
            "unknown option spark.stencil.gpu.concurentTask; did you mean"
                + " spark.stencil.gpu.concurrentTasks?");
    assertThatThrownBy(() -> new StencilConf(Map.of("spark.stencil.ENGINE", "cpu")))
        .hasMessage("unknown option spark.stencil.ENGINE; did you mean spark.stencil.engine?");
    assertThatThrownBy(() -> new StencilConf(Map.of("spark.stencil.telescope.colour", "red")))
        .hasMessageStartingWith(
            "unknown option spark.stencil.telescope.colour; known options are spark.")
        .hasMessageContaining("spark.stencil.gpu.onDeviceLost");
  }

  @Test
  void refusesValuesOutOfRange() {
    assertThatThrownBy(() -> new StencilConf(Map.of("spark.stencil.gpu.concurrentTasks", "0")))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("spark.stencil.gpu.concurrentTasks=0 is not in [1, 1024]");
    assertThatThrownBy(() -> StencilConf.DEFAULTS.with(Map.of("spark.stencil.fallback", "maybe")))
        .hasMessageContaining("true or false");
  }

  @Test
  void overridesWithoutChangingTheOriginal() {
    StencilConf conf = new StencilConf(Map.of("spark.stencil.engine", "gpu"));
    assertThat(conf.with(Map.of("spark.stencil.engine", "cpu")).get(StencilOptions.ENGINE))
        .isEqualTo("cpu");
    assertThat(conf.get(StencilOptions.ENGINE)).isEqualTo("gpu");
  }

  @Test
  void travelsWithTasks() throws IOException, ClassNotFoundException {
    StencilConf conf = new StencilConf(Map.of("spark.stencil.engine", "gpu"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(conf);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(conf);
    }
  }
}
