/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.grid.tasks.BlockResult;
import io.sparkstencil.spark.grid.tasks.MissingFace;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FaceOffersTest {
  private static BlockResult result(int block, int state, MissingFace... missing) {
    return new BlockResult(
        block,
        "executor_here_1",
        0,
        state,
        false,
        0,
        List.of(missing),
        List.of(),
        Double.NaN,
        null,
        null,
        null,
        List.of());
  }

  /** Block 9 is gone; block 1 lacks its face, block 2 waits for block 1, and block 3 for that. */
  @Test
  void whoWaitsForABlockThatLacksFacesLacksNothingElse() {
    MissingFace gone = new MissingFace(9, 4);

    assertThat(
            FaceOffers.lacking(
                List.of(
                    result(3, 6, new MissingFace(2, 6)),
                    result(2, 5, new MissingFace(1, 5)),
                    result(1, 4, gone))))
        .containsExactly(gone);
  }

  /** Block 1 was late, or has given its faces where block 2 does not find them. */
  @Test
  void whoMissesAFaceOfABlockThatLacksNoneMissesIt() {
    MissingFace late = new MissingFace(1, 5);
    MissingFace lost = new MissingFace(2, 5);

    assertThat(FaceOffers.lacking(List.of(result(2, 5, late), result(1, 4)))).containsExactly(late);
    assertThat(FaceOffers.lacking(List.of(result(2, 5, late), result(1, 5, lost))))
        .containsExactlyInAnyOrder(late, lost);
  }
}
