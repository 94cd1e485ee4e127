/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.grid.ExchangeCost.Exchange;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.model.ElementType;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WeakProjectionTest {
  private final WeakProjection projection =
      new WeakProjection(
          GridCase.of(3, ElementType.F32, 1000).program(),
          ElementType.F32,
          new GridBlocks(List.of(2048L, 2048L, 1024L), List.of(512, 512, 1024)),
          5);

  @Test
  void oneGpuIsAsFastAsItself() {
    assertThat(projection.speedup(1, Exchange.ON_GPU)).isCloseTo(1, within(1e-12));
  }

  @Test
  void moreGpusAreFasterButForTheirExchanges() {
    double together = projection.speedup(2, Exchange.BETWEEN_GPUS);
    double shared = projection.speedup(2, Exchange.SHARED);

    assertThat(together).isBetween(1.8, 2.0);
    assertThat(shared)
        .as("the GPU goes on with other blocks, whichever way faces come")
        .isCloseTo(together, within(1e-6));
    assertThat(projection.speedup(2, Exchange.OF_GPUS_BY_LOG)).isLessThan(0.5 * shared);
    assertThat(projection.speedup(64, Exchange.SHARED))
        .as("blocks have the same neighbours, however many there are")
        .isCloseTo(8 * projection.speedup(8, Exchange.SHARED), within(0.5));
  }

  @Test
  void theGridGrowsAlongItsSlowestAxis() {
    assertThat(WeakProjection.sizes(List.of(3L, 5L), 4)).containsExactly(12L, 5L);
    assertThat(WeakRows.sizes(3, 1L << 32)).containsExactly(2048L, 2048L, 1024L);
    assertThat(WeakRows.sizes(2, 1L << 5)).containsExactly(8L, 4L);
    assertThat(WeakRows.sizes(1, 1L << 32)).containsExactly(1L << 32);
    assertThat(WeakRows.sizes(3, 1000)).containsExactly(10L, 10L, 10L);
  }
}
