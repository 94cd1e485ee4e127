/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.DeviceLimits;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.codegen.survey.RateKernel.Operation;
import org.junit.jupiter.api.Test;

class EffortTest {
  private static final CudaDevice DEVICE =
      new CudaDevice(
          "device", 0, "0000:00:00.0", "GPU-0", 12_040, 16L << 30, 90, 132, 2048, 227 << 10);

  private static Effort of(long cacheBytes, long freeBytes) {
    DeviceLimits limits = new DeviceLimits(cacheBytes, 0, 228 << 10, 65_536, 3_201_000, 6144);
    return Effort.of(DEVICE, limits, freeBytes);
  }

  @Test
  void arraysAreSeveralTimesTheCache() {
    assertThat(of(60L << 20, 140L << 30).arrayBytes()).isEqualTo(512L << 20);
    assertThat(of(200L << 20, 180L << 30).arrayBytes()).isEqualTo(1L << 30);
    assertThat(of(6L << 20, 2L << 30).arrayBytes()).isEqualTo(256L << 20);
    assertThat(of(6L << 20, 300L << 20).arrayBytes()).isEqualTo(32L << 20);
  }

  @Test
  void tooLittleMemoryIsTold() {
    assertThatThrownBy(() -> of(60L << 20, 1L << 30))
        .isInstanceOf(StencilException.class)
        .hasMessageContaining("needs arrays of 268435456 bytes")
        .hasMessageContaining("end other work");
  }

  @Test
  void sweepsKeepTheirEnds() {
    Effort effort = new Effort(1 << 16, 1, 1, 1, 1, 3, 4096);

    assertThat(effort.sweep(1, 2, 3, 4, 5)).containsExactly(1, 3, 5);
    assertThat(effort.sweep(1, 2)).containsExactly(1, 2);
  }

  @Test
  void theVendorsTableHasLanesOfKnownDevices() {
    assertThat(InstructionRates.lanes(Operation.F32_FMA, 90)).isEqualTo(128);
    assertThat(InstructionRates.lanes(Operation.F64_FMA, 70)).isEqualTo(32);
    assertThat(InstructionRates.lanes(Operation.F64_ADD, 89)).isEqualTo(2);
    assertThat(InstructionRates.lanes(Operation.F32_ADD, 131)).isNaN();
    assertThat(InstructionRates.sharedBytes()).isEqualTo(128);
  }
}
