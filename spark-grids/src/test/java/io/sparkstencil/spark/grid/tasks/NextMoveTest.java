/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.grid.blocks.BlockRegistry.Entry;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.tasks.BlockMove.MoveKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a task chooses to do next, in a line of blocks of one process. */
@Timeout(30)
final class NextMoveTest {
  private static final int BLOCKS = 4;
  private static final int TARGET = 5;
  private static final int JOB = 1;

  private final LineOfBlocks line = new LineOfBlocks(BLOCKS);
  private final List<Entry> entries = new ArrayList<>();

  @AfterEach
  void close() {
    line.close();
  }

  /** Has the process hold the first blocks, in some states. */
  private void hold(int... states) {
    for (int block = 0; block < states.length; block++) {
      entries.add(line.enter(block, JOB));
      block(block).reach(states[block]);
    }
  }

  private HeldBlock block(int block) {
    return entries.get(block).block();
  }

  private void fill(int... blocks) {
    for (int block : blocks) {
      block(block).fill();
    }
  }

  private NextMove next(int block) {
    return line.next(entries.get(block), line.to(TARGET), JOB);
  }

  private BlockMove choose(int block) {
    return next(block).choose().orElseThrow();
  }

  @Test
  void anEmptyBlockBegins() {
    hold(2, -1, 2, 2);
    assertThat(choose(1)).isEqualTo(BlockMove.of(MoveKind.LOAD, block(1)));
  }

  @Test
  void cellsOfALaterStateOrOfAnEarlierSourceBeginAgain() {
    hold(TARGET + 1, TARGET);
    assertThat(choose(0).kind()).isEqualTo(MoveKind.LOAD);
    Orders fresh = line.to(TARGET).fromTheSource(true);
    assertThat(line.next(entries.get(1), fresh, JOB).choose().orElseThrow().kind())
        .isEqualTo(MoveKind.LOAD);
    block(1).loadedIn(JOB);
    assertThat(line.next(entries.get(1), fresh, JOB).isOver()).as("begun in this job").isTrue();
  }

  @Test
  void aHaloIsFilledFromNeighboursInTheSameState() {
    hold(2, 2, 2, 2);
    assertThat(choose(1))
        .isEqualTo(new BlockMove(MoveKind.FILL, block(1), List.of(block(0), block(2)), List.of()));
  }

  @Test
  void aNeighbourThatIsBehindIsWorkedOnFirst() {
    hold(2, 3, 3, 3);
    assertThat(choose(1).block()).isEqualTo(block(0));
    block(0).stickIn(JOB);
    assertThat(choose(1).block()).as("as far as others can").isEqualTo(block(2));
  }

  @Test
  void thoseThatOthersWaitForComeFirst() {
    hold(3, 2, 2, 2);
    block(1).stickIn(JOB);
    block(3).givenTo().add(4);
    assertThat(choose(0).block()).isEqualTo(block(3));
  }

  @Test
  void blocksAtTheRimGoBeforeTheOwnUnlessTheyAreAhead() {
    hold(2, 2, 2, 2);
    block(3).givenTo().add(4);
    assertThat(choose(0).block()).isEqualTo(block(3));
    assertThat(choose(3).block()).as("at the rim itself").isEqualTo(block(3));
    block(3).stickIn(JOB);
    assertThat(choose(0).block()).isEqualTo(block(0));
  }

  @Test
  void blocksAtTheRimThatAreAheadComeLater() {
    hold(2, 2, 2, 3);
    block(3).givenTo().add(4);
    assertThat(choose(0).block()).isEqualTo(block(0));
  }

  @Test
  void aNeighbourThatIsAheadIsReadFromTheLog() {
    hold(3, 2, 2, 2);
    assertThat(choose(1).read()).containsExactly(block(2));
  }

  @Test
  void aBlockStepsOnlyAfterThoseThatReadIt() {
    hold(2, 2, 2, 2);
    fill(1);
    assertThat(choose(1)).as("the halo of another").isNotNull().matches(m -> m.block() != block(1));
    fill(0, 2);
    assertThat(choose(1)).isEqualTo(BlockMove.of(MoveKind.STEP, block(1)));
  }

  /** Blocks 2 and 3 are elsewhere, and another task steps with block 0. */
  @Test
  void facesOfOthersAreTakenWhileNeighboursStep() throws InterruptedException {
    hold(2, 2);
    fill(0, 1);
    block(1).reach(3);
    Orders orders = line.to(TARGET).awaitingFaces();
    NextMove own = line.next(entries.get(1), orders, JOB);
    assertThat(own.choose().orElseThrow().kind()).as("nobody steps yet").isEqualTo(MoveKind.STEP);
    BlockMove step = entries.get(0).run().choose(own::choose).orElseThrow();
    assertThat(step.block()).isEqualTo(block(0));

    assertThat(own.choose()).contains(BlockMove.of(MoveKind.FETCH, block(1)));
    assertThat(line.next(entries.get(1), line.to(TARGET), JOB).choose())
        .as("where nobody waits for faces")
        .isEmpty();
    block(1).fetchLater(System.nanoTime() + 60_000_000_000L);
    assertThat(own.choose()).as("not yet again").isEmpty();
    assertThat(own.retryNanos()).isBetween(1L, 60_000_000_000L);
    block(1).fetch();
    assertThat(own.choose()).as("all are there").isEmpty();
    assertThat(own.retryNanos()).isZero();

    entries.get(0).run().finish(step, () -> block(0).reach(3));
    assertThat(own.choose().orElseThrow().kind()).isEqualTo(MoveKind.FILL);
  }

  @Test
  void neighboursElsewhereAreGivenFacesBeforeCellsChange() {
    hold(2, 2);
    fill(0, 1);
    assertThat(choose(1).late()).containsExactly(2);
    block(1).givenTo().add(2);
    assertThat(choose(1).late()).as("given before").isEmpty();
  }

  @Test
  void neighboursHereAreGivenFacesIfAllAreKept() {
    hold(2, 2);
    assertThat(next(1).takers(block(1))).containsExactly(2);
    assertThat(line.next(entries.get(1), line.to(TARGET, true), JOB).takers(block(1)))
        .containsExactly(0, 2);
  }

  @Test
  void aBlockThatOthersUseIsLeftToThem() throws InterruptedException {
    hold(2, 2);
    BlockMove others = entries.get(0).run().choose(next(0)::choose).orElseThrow();
    assertThat(others.kind()).isEqualTo(MoveKind.FILL);
    assertThat(next(0).choose().orElseThrow().block()).isEqualTo(block(1));
    assertThat(next(0).report()).isEmpty();
    entries.get(0).run().finish(others, block(0)::fill);
    assertThat(next(0).report()).contains(BlockMove.of(MoveKind.REPORT, block(0)));
  }

  @Test
  void aTaskThatIsDoneReportsWhileOthersWork() throws InterruptedException {
    hold(TARGET, TARGET, 2, 2);
    BlockMove others = entries.get(1).run().choose(next(1)::choose).orElseThrow();
    assertThat(others).isEqualTo(BlockMove.of(MoveKind.REPORT, block(1)));
    assertThat(choose(0)).isEqualTo(BlockMove.of(MoveKind.REPORT, block(0)));
  }

  @Test
  void aTaskIsOverThatHasNothingToDo() {
    hold(TARGET, 2, 2, 2);
    assertThat(next(0).isOver()).isTrue();
    block(1).stickIn(JOB);
    assertThat(next(1).isOver()).as("faces are missing").isTrue();
    line.enter(2, JOB + 1);
    assertThat(next(2).isOver()).as("another job has begun").isTrue();
  }

  @Test
  void aBlockThatWasGivenUpIsOver() {
    hold(2, 2);
    entries.get(0).run().withdraw(block(0));
    assertThat(next(0).isOver()).isTrue();
    assertThat(choose(1)).isEqualTo(new BlockMove(MoveKind.FILL, block(1), List.of(), List.of()));
  }
}
