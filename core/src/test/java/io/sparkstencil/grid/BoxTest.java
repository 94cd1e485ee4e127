/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.Extent;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BoxTest {
  private static Box box(long y, long x, int rows, int columns) {
    return new Box(List.of(y, x), Extent.of(rows, columns));
  }

  @Test
  void knowsItsEndsAndCells() {
    Box box = new Box(List.of(5_000_000_000L, -2L), Extent.of(3, 4));

    assertThat(box.start(0)).isEqualTo(5_000_000_000L);
    assertThat(box.end(0)).isEqualTo(5_000_000_003L);
    assertThat(box.end(1)).isEqualTo(2);
    assertThat(box.size(1)).isEqualTo(4);
    assertThat(box.cells()).isEqualTo(12);
    assertThat(box.dimensions()).isEqualTo(2);
  }

  @Test
  void intersectsInTheCellsOfBoth() {
    assertThat(box(0, 0, 4, 4).intersect(box(2, 3, 5, 5))).contains(box(2, 3, 2, 1));
    assertThat(box(0, 0, 9, 9).intersect(box(2, 3, 1, 2))).contains(box(2, 3, 1, 2));
  }

  @Test
  void doesNotIntersectWhereItOnlyTouches() {
    assertThat(box(0, 0, 4, 4).intersect(box(4, 0, 4, 4))).isEmpty();
    assertThat(box(0, 0, 4, 4).intersect(box(0, -4, 4, 4))).isEmpty();
  }

  @Test
  void containsBoxesUpToItsEnds() {
    assertThat(box(1, 1, 4, 4).contains(box(1, 1, 4, 4))).isTrue();
    assertThat(box(1, 1, 4, 4).contains(box(2, 2, 3, 3))).isTrue();
    assertThat(box(1, 1, 4, 4).contains(box(2, 2, 3, 4))).isFalse();
    assertThat(box(1, 1, 4, 4).contains(box(0, 1, 4, 4))).isFalse();
  }

  @Test
  void indexesItsCellsSlowestAxisFirst() {
    Box box = box(10, 20, 3, 4);

    assertThat(box.index(List.of(10L, 20L))).isZero();
    assertThat(box.index(List.of(11L, 22L))).isEqualTo(6);
    assertThat(box.index(List.of(12L, 23L))).isEqualTo(11);
  }

  @Test
  void isMovedAndLiesBetweenCorners() {
    assertThat(box(1, 2, 3, 4).shifted(List.of(-1L, 8L))).isEqualTo(box(0, 10, 3, 4));
    assertThat(Box.between(List.of(1L, 2L), List.of(4L, 6L))).isEqualTo(box(1, 2, 3, 4));
    assertThat(Box.whole(Extent.of(3, 4))).isEqualTo(box(0, 0, 3, 4));
  }

  @Test
  void rejectsOtherAxes() {
    assertThatThrownBy(() -> new Box(List.of(1L), Extent.of(2, 2)))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("1 and 2 axes");
    assertThatThrownBy(() -> box(0, 0, 1, 1).intersect(Box.whole(Extent.of(1))))
        .isInstanceOf(InvalidStencilException.class);
  }

  @Test
  void rejectsEndsThatOverflowAndCornersWithoutCells() {
    assertThatThrownBy(() -> new Box(List.of(Long.MAX_VALUE), Extent.of(1)))
        .isInstanceOf(InvalidStencilException.class);
    assertThatThrownBy(() -> Box.between(List.of(3L), List.of(3L)))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("0 cells along axis 0");
  }

  @Test
  void slabsFollowOneAnother() {
    Box box = Box.between(List.of(5L, 2L), List.of(12L, 5L));

    assertThat(box.slabs(7))
        .containsExactly(
            Box.between(List.of(5L, 2L), List.of(7L, 5L)),
            Box.between(List.of(7L, 2L), List.of(9L, 5L)),
            Box.between(List.of(9L, 2L), List.of(11L, 5L)),
            Box.between(List.of(11L, 2L), List.of(12L, 5L)));
    assertThat(box.slabs(1)).hasSize(7).allMatch(slab -> slab.cells() == 3);
    assertThat(box.slabs(21)).containsExactly(box);
  }
}
