/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks stay on the heap while there is room beside those of running tasks. */
final class HeapShareTest {
  @Test
  void aBlockPerTaskIsLeftRoomFor() {
    HeapShare share = new HeapShare(100, 3);

    assertThat(share.take(26)).as("with three others").isFalse();
    assertThat(share.take(20)).isTrue();
    assertThat(share.take(20)).isTrue();
    assertThat(share.take(20)).isFalse();
    share.give(20);
    assertThat(share.take(20)).isTrue();
  }

  /** A checkpoint copies all blocks at once. */
  @Test
  void copiesTakeRoomBesideTheBlocks() {
    HeapShare share = new HeapShare(100, 3);
    assertThat(share.takeCopy(70)).as("of blocks that are elsewhere").isTrue();
    assertThat(share.takeCopy(40)).isFalse();
    assertThat(share.take(10)).as("with three others").isFalse();
    share.giveCopy(70);
    assertThat(share.copiedBytes()).isZero();

    assertThat(share.take(10)).isTrue();
    assertThat(share.takeCopy(61)).as("with a block for each task").isFalse();
    assertThat(share.takeCopy(60)).isTrue();
    assertThat(share.copiedBytes()).isEqualTo(60);
    assertThat(share.take(10)).isFalse();
    share.giveCopy(60);
    assertThat(share.take(10)).isTrue();
  }

  @Test
  void blocksThatAreGoneLeaveTheirRoomToCopies() {
    HeapShare share = new HeapShare(100, 3);
    assertThat(share.take(25)).isTrue();
    assertThat(share.take(5)).isTrue();
    share.give(25);
    assertThat(share.takeCopy(81)).as("beside a small block, and one for each task").isFalse();
    assertThat(share.takeCopy(80)).isTrue();
    share.giveCopy(80);
    share.give(5);
    assertThat(share.takeCopy(100)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "16m, true, 0, 1000, 16777216",
    "0, false, 0, 100, 10485760",
    "0, false, 10m, 1000, 293601280",
    "0, true, 0, 1000, 260833280",
    "0, true, 10m, 1000, 283115520",
    "0, true, 900m, 1000, 146800640"
  })
  void theShareIsAsAskedOrWhatSparkAndFacesLeave(
      String asked, String pushes, String faces, long heapMegabytes, long bytes) {
    StencilConf conf =
        new StencilConf(
            Map.of(
                StencilOptions.GRID_HEAP_BYTES.key(), asked,
                StencilOptions.GRID_PUSH.key(), pushes,
                StencilOptions.GRID_PUSH_BYTES.key(), faces));

    assertThat(HeapShare.bytes(conf, heapMegabytes << 20)).isEqualTo(bytes);
  }
}
