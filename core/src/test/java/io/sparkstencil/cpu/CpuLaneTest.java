/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.ElementType;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CpuLaneTest {
  /** An array of longs as large as there are any, and one byte for each. */
  private static final int TOO_MANY = Integer.MAX_VALUE - 8;

  @Test
  void aBatchThatFindsNoRoomIsAnErrorOfTheCallAndNotOfTheProcess() {
    assertThat(Runtime.getRuntime().maxMemory()).isLessThan(9L * TOO_MANY);
    try (CpuEngine engine = new CpuEngine(Map.of());
        Lane lane = engine.openLane()) {
      assertThatThrownBy(() -> lane.lease(ElementType.I64, TOO_MANY, true))
          .isInstanceOf(StencilException.class)
          .hasMessageContaining("2,147,483,639 cells of type I64")
          .hasMessageContaining("use narrower frames")
          .extracting(thrown -> ((StencilException) thrown).code())
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      try (CellBuffer small = lane.lease(ElementType.I64, 8, true)) {
        assertThat(small.hasValidity()).isTrue();
      }
    }
  }
}
