/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.grid.blocks.BlockRegistry.Entry;
import io.sparkstencil.spark.grid.blocks.HeldBlock.Use;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks give their memory back once, when nobody works on them or reads them any more. */
@Timeout(30)
final class BlockRegistryTest {
  private static final RunKey RUN = new RunKey("grid", 1);

  private final BlockRegistry registry = new BlockRegistry(new HeapShare(0, 1));

  private record TestUse(HeldBlock block, Use use, List<HeldBlock> read)
      implements RunBlocks.BlockUse {}

  @AfterEach
  void close() {
    registry.close(0);
  }

  private static BlockArrays cells() {
    StepReach reach = StepReach.of(ProgramText.parse("u' = u[-1]"));
    ExtendedBlock place = ExtendedBlock.of(GridBlocks.cut(List.of(10L), 1, reach), reach, 1, 0);
    return new BlockArrays(ElementType.F64, place, 1);
  }

  private Entry enter(int block) {
    return registry.enter(RUN, block, 0, HeapMark::new);
  }

  private static TestUse begin(Entry entry, Use use, HeldBlock... read)
      throws InterruptedException {
    TestUse work = new TestUse(entry.block(), use, List.of(read));
    return entry.run().choose(() -> Optional.of(work)).orElseThrow();
  }

  private static TestUse load(Entry entry) throws InterruptedException {
    TestUse work = begin(entry, Use.CHANGING);
    entry.block().load(cells());
    entry.block().reach(3);
    return work;
  }

  private void awaitEmpty() throws InterruptedException {
    while (registry.count() > 0) {
      Thread.sleep(10);
    }
  }

  @Test
  void aQuarterOfTheCoresWritesCheckpoints() {
    assertThat(BlockRegistry.writers(2)).isEqualTo(1);
    assertThat(BlockRegistry.writers(8)).isEqualTo(2);
    assertThat(BlockRegistry.writers(64)).isEqualTo(4);
  }

  @Test
  void theTasksOfBlocksBeginInEachJob() {
    RunBlocks run = registry.enter(RUN, 4, 2, HeapMark::new).run();
    assertThat(run.hasEntered(4, 2)).isTrue();
    assertThat(run.hasEntered(4, 3)).as("its task of the next job waits").isFalse();
    assertThat(run.hasEntered(5, 2)).isFalse();
    registry.enter(RUN, 5, 3, HeapMark::new);
    assertThat(run.hasEntered(5, 3)).isTrue();
  }

  @Test
  void aBlockWithoutMarkIsDroppedWhenItsTaskEnds() throws InterruptedException {
    Entry entry = enter(0);
    TestUse work = load(entry);
    assertThat(registry.heapBytes()).isEqualTo(80);

    entry.block().wanted().remove();
    awaitEmpty();

    assertThat(entry.block().heapBytes()).as("while a task works on it").isEqualTo(80);
    entry.run().finish(work, () -> {});
    assertThat(entry.block().isEmpty()).isTrue();
    assertThat(entry.block().heapBytes()).isZero();
  }

  @Test
  void memoryIsGivenBackThoughWhatBelongsToItIsNot() throws InterruptedException {
    List<Entry> entries = List.of(enter(0), enter(1));
    for (Entry entry : entries) {
      entry.run().finish(load(entry), () -> {});
      HeldBlock.OfCells failing =
          () -> {
            throw new IllegalStateException("the driver does not answer");
          };
      entry.block().attached(HeldBlock.OfCells.class, () -> failing);
    }

    entries.forEach(entry -> entry.block().wanted().remove());
    awaitEmpty();

    assertThat(entries).allMatch(entry -> entry.block().heapBytes() == 0);
  }

  @Test
  void aMarkThatFailsKeepsNoOtherBlockFromBeingDropped() throws InterruptedException {
    AtomicBoolean fails = new AtomicBoolean(true);
    BlockMark failing =
        new BlockMark() {
          @Override
          public int number() {
            return 0;
          }

          @Override
          public boolean isThere() {
            if (fails.get()) {
              throw new IllegalStateException("the block manager has ended");
            }
            return false;
          }

          @Override
          public void tellSizes(long heap, long device, long disk) {}

          @Override
          public void remove() {}
        };
    registry.enter(RUN, 0, 0, () -> failing);
    enter(1).block().wanted().remove();
    while (registry.count() > 1) {
      Thread.sleep(10);
    }

    fails.set(false);

    awaitEmpty();
  }

  @Test
  void aBlockWithoutMarkIsDroppedWhenNobodyReadsItAnyMore() throws InterruptedException {
    Entry source = enter(0);
    source.run().finish(load(source), () -> {});
    Entry target = enter(1);
    TestUse fills = begin(target, Use.FILLING, source.block());

    source.run().withdraw(source.block());
    assertThat(source.block().isEmpty()).isTrue();
    assertThat(source.block().heapBytes()).as("while its cells are read").isEqualTo(80);
    target.run().finish(fills, () -> {});
    assertThat(source.block().heapBytes()).isZero();
    assertThat(source.block().wanted().isThere()).isFalse();
  }

  @Test
  void aBlockThatIsGivenUpIsNotTheOneThatComesNext() throws InterruptedException {
    Entry first = enter(0);
    TestUse work = load(first);
    first.block().wanted().remove();
    awaitEmpty();

    Entry second = enter(0);
    assertThat(second.block()).isNotSameAs(first.block());
    first.run().finish(work, () -> {});
    assertThat(enter(0).block()).isSameAs(second.block());
  }

  @Test
  void whoHasNothingToDoWaitsAsLongAsOthersAreAtWork() throws InterruptedException {
    Entry entry = enter(0);
    TestUse work = begin(entry, Use.CHANGING);
    AtomicBoolean found = new AtomicBoolean(true);
    Thread waiting =
        new Thread(
            () -> {
              try {
                found.set(entry.run().choose(Optional::<TestUse>empty).isPresent());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    waiting.start();
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }

    entry.run().finish(work, () -> {});
    waiting.join();

    assertThat(found).isFalse();
  }

  @Test
  void nobodyGetsABlockFromAClosedRegistry() throws InterruptedException {
    Entry entry = enter(0);
    TestUse work = load(entry);
    registry.close(0);
    entry.run().finish(work, () -> {});

    assertThat(entry.block().heapBytes()).isZero();
    assertThatThrownBy(() -> enter(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("shut down");
  }
}
