/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The second block of a grid of 8 x 6 cells. */
final class BlockWatchTest {
  private static final double NAN = Double.NaN;
  private static final StencilProgram PROGRAM = ProgramText.parse("u' = u[-1,0]; v' = u[1,0]");
  private static final StepReach REACH = StepReach.of(PROGRAM);

  private final ExtendedBlock place =
      ExtendedBlock.of(GridBlocks.cut(List.of(8L, 6L), List.of(2, 1), REACH), REACH, 1, 1);
  private final BlockArrays block = new BlockArrays(ElementType.F64, place, 2);
  private final double[] u = new double[place.own().cells()];

  private int at(long x, long y) {
    return place.own().index(List.of(x, y));
  }

  private void load() {
    block.load(0, u);
  }

  private BlockWatch watch() {
    load();
    return new BlockWatch(block, 2, 1e30, 7);
  }

  @Test
  void findsWhatBecomesNaNOrLarge() {
    BlockWatch watch = watch();
    assertThat(watch.check(block, 9)).isEmpty();
    u[at(5, 1)] = -2e30;
    u[at(6, 0)] = NAN;
    load();

    assertThat(watch.check(block, 12))
        .containsExactly(new NewStray(0, List.of(5L, 1L), -2e30, 2, 12, 9));
    assertThat(watch.check(block, 13)).as("what is known by then").isEmpty();
  }

  @Test
  void knowsWhatIsThereFromTheBeginning() {
    u[at(4, 0)] = NAN;
    u[at(7, 5)] = Double.NEGATIVE_INFINITY;
    BlockWatch watch = watch();
    assertThat(watch.check(block, 8)).isEmpty();

    u[at(4, 0)] = 1; // a number is no stray cell, even where land was
    u[at(4, 1)] = NAN;
    load();
    assertThat(watch.check(block, 9))
        .containsExactly(new NewStray(0, List.of(4L, 1L), NAN, 1, 9, 8));

    u[at(4, 1)] = 1;
    load();
    assertThat(watch.check(block, 10)).as("fewer than before").isEmpty();
  }

  @Test
  void tellsSetsOfAsManyCellsApart() {
    for (int first = 0; first < u.length; first++) {
      for (int second = first + 1; second < u.length; second++) {
        u[1] = NAN;
        u[4] = NAN;
        load();
        long sum = block.strays(0, 1e30);
        u[1] = 0;
        u[4] = 0;
        u[first] = NAN;
        u[second] = NAN;
        load();
        assertThat(block.strays(0, 1e30) == sum).isEqualTo(first == 1 && second == 4);
        u[first] = 0;
        u[second] = 0;
      }
    }
  }

  @Test
  void piecesHaveAllCellsInOrder() {
    Box own = place.own();
    for (int most = 1; most <= own.cells(); most++) {
      int cell = 0;
      for (Box piece : own.pieces(most)) {
        assertThat(piece.cells()).isLessThanOrEqualTo(most);
        for (int i = 0; i < piece.cells(); i++) {
          assertThat(piece.position(i)).isEqualTo(own.position(cell++));
        }
      }
      assertThat(cell).isEqualTo(own.cells());
    }
  }
}
