/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DiskRoomTest {
  private static final List<Long> SIZES = List.of(100_000L, 100_000L);
  private static final List<String> FOLDERS = List.of("/tmp/a", "/tmp/b");
  private static final List<DiskRoom> ROOMS =
      List.of(
          new DiskRoom("executor_a_1", FOLDERS, 50_000_000_000L),
          new DiskRoom("executor_a_2", FOLDERS, 50_000_000_000L),
          new DiskRoom("executor_b_3", FOLDERS, 30_000_000_000L));

  @Test
  void whatFitsIsTaken() {
    assertThatCode(() -> DiskRoom.require(ROOMS, 25e9, SIZES)).doesNotThrowAnyException();
  }

  @Test
  void executorsOfAHostShareItsDisks() {
    assertThatThrownBy(() -> DiskRoom.require(ROOMS, 26e9, SIZES))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessage(
            "a grid of [100000, 100000] cells has 52.0 GB without room on GPUs and heaps of executors on a,"
                + " and the disks of /tmp/a, /tmp/b have 50.0 GB free; use fewer cells, F32, more executors,"
                + " or larger disks by spark.local.dir");
  }

  @Test
  void anExecutorThatRanTwoOfTheTasksCountsOnce() {
    DiskRoom later = new DiskRoom("executor_b_3", FOLDERS, 29_999_999_999L); // others write, too
    List<DiskRoom> twice = List.of(ROOMS.get(2), later);

    assertThatCode(() -> DiskRoom.require(twice, 29e9, SIZES)).doesNotThrowAnyException();
  }
}
