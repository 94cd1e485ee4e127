/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import org.junit.jupiter.api.Test;

class StagingLayoutTest {
  private static StencilSpec spec(int preceding, int following) {
    return new StencilSpec(Stencil.sum(Frame.offsets(-preceding, following)), ElementType.F64);
  }

  @Test
  void laysPiecesOneAfterTheOther() {
    StagingLayout layout = new StagingLayout(3, 2);
    for (int i = 0; i < 40; i++) {
      assertThat(layout.add(i, i % 4, i % 3)).isEqualTo(i);
    }
    int position = 0;
    for (int i = 0; i < 40; i++) {
      assertThat(layout.start(i)).isEqualTo(position);
      assertThat(layout.cells(i)).isEqualTo(i);
      assertThat(layout.missingLeft(i)).isEqualTo(i % 4);
      assertThat(layout.missingRight(i)).isEqualTo(i % 3);
      position += i + 5;
    }
    assertThat(layout.stagedCells()).isEqualTo(position);
    assertThat(layout.outputCells()).isEqualTo(39 * 40 / 2);
    layout.clear();
    assertThat(layout.pieces() + layout.stagedCells() + layout.outputCells()).isZero();
  }

  @Test
  void countsTheOutputsWhoseFramesTouchMissingCells() {
    int left = 5;
    int right = 4;
    for (int cells = 0; cells < 8; cells++) {
      for (int missingLeft = 0; missingLeft <= left; missingLeft++) {
        for (int missingRight = 0; missingRight <= right; missingRight++) {
          StagingLayout layout = new StagingLayout(left, right);
          layout.add(3, 0, 0);
          int piece = layout.add(cells, missingLeft, missingRight);
          for (int preceding = -4; preceding <= left; preceding++) {
            for (int following = -preceding; following <= right; following++) {
              check(layout, piece, spec(preceding, following));
            }
          }
        }
      }
    }
  }

  private static void check(StagingLayout layout, int piece, StencilSpec spec) {
    int staged = layout.left() + layout.cells(piece) + layout.right();
    int clippedLeft = 0;
    int clippedRight = 0;
    for (int i = 0; i < layout.cells(piece); i++) {
      if (layout.left() + i - spec.frame().preceding() < layout.missingLeft(piece)) {
        clippedLeft++;
      }
      int last = layout.left() + i + spec.frame().following();
      if (last >= staged - layout.missingRight(piece)) {
        clippedRight++;
      }
    }
    assertThat(layout.clippedLeft(piece, spec)).isEqualTo(clippedLeft);
    assertThat(layout.clippedRight(piece, spec)).isEqualTo(clippedRight);
  }

  @Test
  void refusesMoreCellsThanAnIndexCounts() {
    StagingLayout layout = new StagingLayout(0, 0);
    layout.add(Integer.MAX_VALUE, 0, 0);
    assertThatThrownBy(() -> layout.add(1, 0, 0)).isInstanceOf(ArithmeticException.class);
  }
}
