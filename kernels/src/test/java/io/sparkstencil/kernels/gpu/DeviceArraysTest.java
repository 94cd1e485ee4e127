/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DeviceArraysTest {
  private static DeviceArrays arraysOfOneCell(int count, int radius) {
    int[] offsets = new int[count + 1];
    Arrays.setAll(offsets, i -> i);
    StencilSpec sum = new StencilSpec(Stencil.sum(Frame.radius(radius)), ElementType.F32);
    return new DeviceArrays(sum, 1, false, offsets, 0, 0);
  }

  @Test
  void moreThanCanBeStagedAtOnceIsRefusedWithARemedy() {
    assertThat(arraysOfOneCell(15, Frame.MAX_REACH).results()).isEqualTo(15);
    assertThatThrownBy(() -> arraysOfOneCell(16, Frame.MAX_REACH))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageContaining("16 arrays with 67108864 and 67108864 cells beside each")
        .hasMessageContaining("use smaller batches");
  }
}
