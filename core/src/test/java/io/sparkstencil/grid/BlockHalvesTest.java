/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BlockHalvesTest {
  private static final StencilProgram PROGRAM =
      ProgramText.parse("u' = u[-1,0,0] + u[1,0,0] + u[0,-1,0] + u[0,1,0] + u[0,0,-1] + u[0,0,1]");

  private static GridBlocks cubes(int x, int y, int z) {
    return new GridBlocks(List.of(16L * x, 16L * y, 16L * z), List.of(16, 16, 16));
  }

  @ParameterizedTest
  @CsvSource({
    "8, 4, 1, 2, reflect, 0.0625", // 4 faces of 16 blocks with 4 each
    "8, 8, 1, 4, reflect, 0.125", // two sides of 4 blocks; rows would have 0.25
    "16, 1, 1, 4, reflect, 0.25", // both ends of 4 blocks
    "4, 4, 4, 8, reflect, 0.25", // three sides of 4 blocks of 8 with 6
    "8, 8, 1, 4, wrap, 0.25",
    "4, 4, 4, 64, reflect, 1",
    "4, 4, 4, 1, wrap, 0"
  })
  void saysWhichPartOfFacesLeavesAGroup(
      int x, int y, int z, int groups, String boundary, double expected) {
    StepReach reach = StepReach.of(PROGRAM.withBoundary(Boundary.parse(boundary)));
    assertThat(new BlockHalves(cubes(x, y, z), groups).farShare(reach))
        .isCloseTo(expected, within(1e-12));
  }

  @Test
  void cutsTheLongestAxisInCellsNotInBlocks() {
    GridBlocks flat = new GridBlocks(List.of(64L, 1000L), List.of(8, 500));
    assertThat(new BlockHalves(flat, 2).groups())
        .containsExactly(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
  }

  @Test
  void manyBlocksAreHalvedInNoTime() {
    BlockHalves halves = new BlockHalves(cubes(32, 16, 16), 1024);
    int[] of = new int[1024];
    for (int group : halves.groups()) {
      of[group]++;
    }
    assertThat(of).containsOnly(8);
  }
}
