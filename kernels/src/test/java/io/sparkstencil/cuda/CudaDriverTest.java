/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.EngineUnavailableException;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CudaDriverTest {
  @Test
  void thisProcessHasADriverOrAReason() {
    CudaDriver driver = CudaDriver.get();
    assertThat(driver.unavailableReason().isEmpty()).isEqualTo(!driver.devices().isEmpty());
    assertThat(CudaDriver.get()).isSameAs(driver);
  }

  @Test
  void readsTheTraitsOfADevice() {
    CudaDriver driver = new FakeGpu().driver();
    assertThat(driver.unavailableReason()).isEmpty();
    CudaDevice traits = driver.devices().get(0);
    assertThat(traits.name()).isEqualTo("Fake GPU");
    assertThat(traits.capability()).isEqualTo(90);
    assertThat(traits.driverVersionText()).isEqualTo("12.4");
    assertThat(traits.threadsPerMultiprocessor()).isEqualTo(2048);
    assertThat(traits.sharedBytesPerBlock()).isEqualTo(227 << 10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "init | 100 | no GPU",
        "init | 803 | CUDA_ERROR_SYSTEM_DRIVER_MISMATCH to cuInit",
        "driverGetVersion | 999 | CUDA_ERROR_UNKNOWN to cuDriverGetVersion",
        "deviceGetCount | 3 | CUDA_ERROR_NOT_INITIALIZED to cuDeviceGetCount",
        "deviceTotalMem | 46 | device 0: CUDA_ERROR_DEVICE_UNAVAILABLE",
      })
  void saysWhyThereIsNoDevice(String call, int result, String reason) {
    FakeGpu gpu = new FakeGpu();
    gpu.fail(call, result);
    CudaDriver driver = gpu.driver();
    assertThat(driver.unavailableReason()).get().asString().contains(reason);
    assertThat(driver.devices()).isEmpty();
    assertThatThrownBy(() -> driver.open(0))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void refusesAnOldDriverAndAnOldDevice() {
    FakeGpu oldDriver = new FakeGpu();
    oldDriver.version(9_020);
    assertThat(oldDriver.driver().unavailableReason())
        .get()
        .asString()
        .contains("supports CUDA 9.2", "410.48");
    FakeGpu oldDevice = new FakeGpu();
    oldDevice.capabilityMajor(6);
    assertThat(oldDevice.driver().unavailableReason())
        .get()
        .asString()
        .contains("7.0 or newer", "compute capability 6.0");
  }

  @Test
  void anUnknownOrdinalIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> new FakeGpu().driver().open(3))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining("number 3")
        .hasMessageContaining("Fake GPU (device 0");
  }

  @Test
  void aContextThatCannotBeRetainedIsAFailureOfItsKind() {
    FakeGpu gpu = new FakeGpu();
    CudaDriver driver = gpu.driver();
    gpu.fail("devicePrimaryCtxRetain", CUresult.CUDA_ERROR_OUT_OF_MEMORY);
    assertThatThrownBy(() -> driver.open(0))
        .hasMessageContaining("cuDevicePrimaryCtxRetain")
        .hasMessageContaining("exclusive-process");
  }

  @Test
  void explainsNativesThatDoNotLoad() {
    assertThat(NativeLibrary.unsupportedPlatform("Mac OS X", "aarch64"))
        .get()
        .asString()
        .contains("aarch64");
    assertThat(NativeLibrary.unsupportedPlatform("Linux", "amd64")).isEmpty();
    assertThat(NativeLibrary.explain("x: libcuda.so.1: cannot open shared object file"))
        .contains("no NVIDIA driver");
    assertThat(NativeLibrary.explain("No resource found with name '/lib/lib.so'"))
        .contains("not on the class path");
    assertThat(NativeLibrary.explain("x.so: failed to map segment from shared object"))
        .contains("noexec");
    assertThat(NativeLibrary.explain("\n other cause\nmore")).endsWith(" other cause");
  }

  @Test
  void loadingLeavesTheTemporaryDirectoryAsItWas() {
    String before = System.getProperty("java.io.tmpdir");
    CudaDriver.get();
    assertThat(System.getProperty("java.io.tmpdir")).isEqualTo(before);
  }
}
