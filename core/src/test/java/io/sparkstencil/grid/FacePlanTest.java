/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FacePlanTest {
  private static final StepReach REACH =
      StepReach.of(ProgramText.parse("u' = u[-1,0,0] + u[1,0,0]"));

  /** A plane of the first axis has 2^28 cells. */
  private static FacePlan plan(int steps, int fields, ElementType type) {
    GridBlocks blocks = GridBlocks.cut(List.of(8L, 1L << 14, 1L << 14), List.of(2, 1, 1), REACH);
    return FacePlan.of(blocks, REACH, steps, fields, type);
  }

  @Test
  void facesOfTwoGibibytesAreRefusedWithARemedy() {
    assertThatThrownBy(() -> plan(3, 1, ElementType.F32).requireTravelling(1))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessage(
            "blocks of [4, 16384, 16384] cells give each other faces of 3221225472 bytes with 3"
                + " steps per exchange, and at most 2139095040 can travel; use more blocks, or at"
                + " most 1 steps per exchange");
    assertThatThrownBy(() -> plan(1, 1, ElementType.F64).requireTravelling(1))
        .hasMessageEndingWith("can travel; use more blocks");
  }

  @Test
  void theLargerOfFieldsAndCoefficientsCounts() {
    assertThat(plan(1, 2, ElementType.F32).travels(1)).isTrue();
    assertThat(plan(1, 3, ElementType.F32).travels(1)).as("two coefficients").isFalse();
    assertThat(plan(1, 3, ElementType.F32).travels(2)).isFalse();
    assertThatCode(() -> plan(1, 2, ElementType.F32).requireTravelling(1))
        .doesNotThrowAnyException();
  }

  @Test
  void theLargestFaceHasWholePiecesAndFitsIntoAnArray() {
    assertThat(FacePlan.MOST_BYTES).isEqualTo(255 * FacePlan.PIECE_BYTES);
    assertThat(FacePlan.MOST_BYTES + FacePlan.PIECE_BYTES).as("one more").isNegative();
  }

  @Test
  void piecesOfFacesHaveNumbersOfTheirOwn() {
    FacePlan plan = plan(1, 1, ElementType.F32);
    int pieces = 1 << 7; // of 2^30 bytes
    assertThat(plan.firstPiece(0, 0)).isZero();
    assertThat(plan.firstPiece(1, 0)).isEqualTo(plan.mostGivers() * pieces);
    assertThat(plan.piecesPerSuperstep()).isEqualTo(2 * plan.mostGivers() * pieces);
  }
}
