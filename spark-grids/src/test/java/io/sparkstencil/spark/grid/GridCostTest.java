/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.ExchangeCost.Exchange;
import io.sparkstencil.spark.grid.blocks.HeapShare;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GridCostTest {
  private static final List<String> ONE = List.of("executor_a_1");
  private static final List<String> BESIDE = List.of("executor_a_1", "executor_a_2");
  private static final List<String> APART = List.of("executor_a_1", "executor_b_2");

  /** Room for a block of each task is kept: blocks wait in files before the heap is full. */
  @Test
  void facesOfOneProcessAreReadUnlessBlocksWaitInFiles() {
    double[] blocks = {10, 10};
    assertThat(GridCost.stay(blocks, 0, 40, 2)).isTrue();
    assertThat(GridCost.stay(blocks, 0, 39, 2)).isFalse();
    assertThat(GridCost.stay(blocks, 20, 0, 2)).as("on GPUs").isTrue();
    assertThat(GridCost.stay(blocks, 10, 30, 2)).as("a half of them").isTrue();
    assertThat(GridCost.stay(blocks, 10, 29, 2)).isFalse();
    HeapShare share = new HeapShare(39, 2);
    assertThat(share.take(10)).isTrue();
    assertThat(share.take(10)).as("it waits in a file").isFalse();
  }

  @Test
  void exchangesAreThoseOfTheNearestMemory() {
    assertThat(GridCost.exchange(ONE, 0, true, true, false)).isEqualTo(Exchange.ON_HEAP);
    assertThat(GridCost.exchange(ONE, 1, true, true, false)).isEqualTo(Exchange.ON_GPU);
    assertThat(GridCost.exchange(ONE, 2, true, true, false)).isEqualTo(Exchange.BETWEEN_GPUS);
    assertThat(GridCost.exchange(BESIDE, 1, true, true, false)).isEqualTo(Exchange.SHARED);
    assertThat(GridCost.exchange(BESIDE, 1, false, true, false)).isEqualTo(Exchange.OF_GPUS_PUSHED);
    assertThat(GridCost.exchange(BESIDE, 1, false, false, false))
        .isEqualTo(Exchange.OF_GPUS_BY_LOG);
    assertThat(GridCost.exchange(BESIDE, 0, true, true, false)).isEqualTo(Exchange.PUSHED);
    assertThat(GridCost.exchange(BESIDE, 0, true, false, false)).isEqualTo(Exchange.BY_LOG);
    assertThat(GridCost.exchange(APART, 1, true, true, true)).isEqualTo(Exchange.OF_GPUS_ENCRYPTED);
    assertThat(GridCost.exchange(BESIDE, 1, true, true, true)).isEqualTo(Exchange.SHARED);
    assertThat(GridCost.exchange(APART, 1, true, true, false)).isEqualTo(Exchange.OF_GPUS_PUSHED);
    assertThat(GridCost.exchange(APART, 1, true, false, false)).isEqualTo(Exchange.OF_GPUS_BY_LOG);
  }
}
