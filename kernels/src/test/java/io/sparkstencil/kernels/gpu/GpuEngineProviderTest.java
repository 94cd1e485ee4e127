/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.EngineUnavailableException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Finding GPUs and reading options, over devices made of host memory. */
class GpuEngineProviderTest {
  private final CudaDriver driver = new FakeGpu().driver();

  @Test
  void theProviderFindsDevicesByAddressUuidAndBus() {
    GpuEngineProvider provider = new GpuEngineProvider(driver);
    assertThat(provider.devices()).containsExactly("0");
    assertThat(provider.unavailableReason()).isEmpty();
    String uuid = driver.devices().get(0).uuid();
    assertThat(uuid).isEqualTo("GPU-00010203-0405-0607-0809-0a0b0c0d0eff");
    for (String device : List.of("", "0", uuid, "0000:00:00.0")) {
      try (StencilEngine opened = provider.open(Map.of(GpuOptions.DEVICE.key(), device))) {
        assertThat(opened.name()).isEqualTo("gpu");
        assertThat(opened.description())
            .as("of a GPU whose kernels compute nothing")
            .isEqualTo(
                "gpu on Fake GPU (device 0, compute capability 9.0), driver for CUDA 12.4, tensor cores not used, as the log says, schedules by the built-in figures of an H200");
      }
    }
    assertThatThrownBy(() -> provider.open(Map.of(GpuOptions.DEVICE.key(), "7")))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining("spark.stencil.gpu.device=7")
        .hasMessageContaining(uuid);
  }

  @Test
  void theProviderIsFoundOnTheClassPath() {
    assertThat(Engines.discover()).anyMatch(GpuEngineProvider.class::isInstance);
    assertThat(new GpuEngineProvider().rank()).isGreaterThan(100);
  }

  @Test
  void optionsAreRead() {
    assertThat(GpuOptions.tuningFolder(Map.of())).isEmpty();
    assertThat(GpuOptions.DEVICE_BYTES.read(Map.of())).isZero();
    Map<String, String> options =
        Map.of(
            "spark.stencil.gpu.tuningFolder", "/var/tuning",
            "spark.stencil.gpu.deviceBytes", "2g",
            "spark.stencil.gpu.memoryWait", "3s");
    assertThat(GpuOptions.tuningFolder(options)).contains(Path.of("/var/tuning"));
    assertThat(GpuOptions.DEVICE_BYTES.read(options)).isEqualTo(2L << 30);
    assertThat(GpuOptions.WAIT.read(options)).isEqualTo(3000);
    assertThat(GpuOptions.ALL).extracting(ConfigOption::key).isSorted();
  }

  @Test
  void memoryTellsTheDeviceThatItIsOn() {
    FakeGpu two = new FakeGpu();
    two.devices(2);
    CudaDriver both = two.driver();
    GpuEngineProvider provider = new GpuEngineProvider(both);
    String uuid = both.devices().get(1).uuid();
    assertThat(provider.devices()).containsExactly("0", "1");
    try (PrimaryContext second = both.open(1);
        DeviceBuffer cells = second.allocateDevice(1000);
        GpuEngine ofSecond = (GpuEngine) provider.open(Map.of(GpuOptions.DEVICE.key(), "1"))) {
      assertThat(provider.holds("0", cells.address() + 999)).isFalse();
      assertThat(provider.holds("1", cells.address() + 999)).isTrue();
      assertThat(provider.holds(uuid, cells.address())).isTrue();
      assertThat(both.deviceOf(cells.address())).isEqualTo(ofSecond.context().traits());
      assertThatThrownBy(() -> provider.holds("1", 4096))
          .isInstanceOf(EngineUnavailableException.class)
          .hasMessageContaining("cuPointerGetAttribute");
    }
    assertThat(both.liveHandles()).isEmpty();
  }
}
