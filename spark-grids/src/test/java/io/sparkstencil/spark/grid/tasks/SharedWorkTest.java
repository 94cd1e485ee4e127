/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.blocks.HeapShare;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.tasks.BlockResult.Stage;
import io.sparkstencil.spark.grid.tasks.BlockResult.Written;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tasks of one process bring their blocks, and each other's, to where they should be. */
@Timeout(60)
final class SharedWorkTest {
  private static void begin(LineOfBlocks line, int blocks) throws InterruptedException {
    for (int block = 0; block < blocks; block++) {
      assertThat(line.bring(block, line.to(0), 0).loaded()).isTrue();
    }
  }

  @Test
  void aTaskTakesItsNeighboursAsFarAsItNeeds() throws InterruptedException {
    try (LineOfBlocks line = new LineOfBlocks(4)) {
      begin(line, 4);

      BlockResult result = line.bring(0, line.to(3), 1);

      assertThat(result.state()).isEqualTo(3);
      assertThat(result.supersteps()).isEqualTo(3);
      assertThat(result.loaded()).isFalse();
      assertThat(result.location()).isEqualTo("executor_here_1");
      assertThat(line.cells(0, 1)).isEqualTo(line.expected(0, 3));
      HeldBlock beside = line.enter(1, 1).block();
      assertThat(beside.state()).isBetween(2, 3);
      assertThat(line.cells(1, 1)).isEqualTo(line.expected(1, beside.state()));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "5, 3", "9, 4"})
  void eachBlockTakesEachSuperstepOnceWhicheverTaskDoesIt(int blocks, int threads)
      throws Exception {
    int target = 40;
    ExecutorService tasks = Executors.newFixedThreadPool(threads);
    try (LineOfBlocks line = new LineOfBlocks(blocks)) {
      begin(line, blocks);
      List<Future<BlockResult>> results = new ArrayList<>();
      for (int block = 0; block < blocks; block++) {
        int own = block;
        results.add(tasks.submit(() -> line.bring(own, line.to(target), 1)));
      }
      for (int block = 0; block < blocks; block++) {
        BlockResult result = results.get(block).get();
        assertThat(result.state()).isEqualTo(target);
        assertThat(result.supersteps()).isEqualTo(target);
        assertThat(line.cells(block, 1)).isEqualTo(line.expected(block, target));
      }
    } finally {
      tasks.shutdownNow();
    }
  }

  @Test
  void aFaceThatNobodyHasIsAResult() throws InterruptedException {
    try (LineOfBlocks line = new LineOfBlocks(3)) {
      begin(line, 2);

      BlockResult result = line.bring(1, line.to(2), 1);

      assertThat(result.state()).isZero();
      assertThat(result.missing()).containsExactly(new MissingFace(2, Schedule.COEFFICIENTS));
      assertThat(line.cells(1, 1)).as("its own cells").isEqualTo(line.expected(1, 0));
      line.bring(2, line.to(0), 2);
      assertThat(line.bring(1, line.to(2), 3).state()).isEqualTo(2);
      assertThat(line.cells(1, 3)).isEqualTo(line.expected(1, 2));
    }
  }

  @Test
  void aBlockWhoseStepFailsHasNoCellsAndHoldsNobodyUp() throws InterruptedException {
    try (LineOfBlocks line =
        new LineOfBlocks(
            2,
            (parameter, step) -> {
              throw new IllegalStateException("no value in step " + step);
            })) {
      begin(line, 2);

      assertThatThrownBy(() -> line.bring(0, line.to(1), 1)).hasMessage("no value in step 0");

      HeldBlock first = line.enter(0, 1).block();
      HeldBlock second = line.enter(1, 1).block();
      assertThat(List.of(first.isIdle(), second.isIdle())).containsOnly(true);
      assertThat(first.isEmpty()).isTrue();
      assertThat(first.heapBytes()).isZero();
      assertThat(line.bring(0, line.to(0), 2).loaded()).as("it begins again").isTrue();
      assertThat(line.cells(0, 2)).isEqualTo(line.expected(0, 0));
    }
  }

  @Test
  void cellsThatAreForgottenTakeNoMemory() throws InterruptedException {
    try (LineOfBlocks line = new LineOfBlocks(2)) {
      begin(line, 2);
      line.bring(0, line.to(2), 1);
      HeldBlock held = line.enter(0, 1).block();
      WeakReference<BlockFields> cells = new WeakReference<>(held.fields());
      held.forget();
      for (int i = 0; i < 200 && cells.get() != null; i++) {
        System.gc();
        Thread.sleep(10);
      }
      assertThat(cells.get()).isNull();
      assertThat(line.bring(0, line.to(0), 2).loaded()).isTrue();
    }
  }

  /** Block 2 is elsewhere; nothing is shared in memory, and blocks hear of what is pushed. */
  @Test
  void aTaskThatWaitsDoesNotLookForFacesAgainAndAgain() throws Exception {
    CountDownLatch steps = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    AtomicInteger moves = new AtomicInteger();
    ExecutorService tasks = Executors.newFixedThreadPool(2);
    try (LineOfBlocks line =
        new LineOfBlocks(
            3,
            (parameter, step) -> {
              steps.countDown();
              await(goesOn);
              return 0.3;
            })) {
      begin(line, 2);
      Orders orders = line.to(2, true).awaitingFaces();
      HeldBlock ahead = line.enter(1, 1).block();
      ahead.fill();
      ahead.reach(1);
      line.enter(0, 1).block().fill();
      Future<BlockResult> first = tasks.submit(() -> line.bring(0, orders, 1, 2, () -> {}));
      steps.await();
      Future<BlockResult> second =
          tasks.submit(() -> line.bring(1, orders, 1, 2, moves::incrementAndGet));
      while (moves.get() < 2) {
        Thread.sleep(1);
      }
      Thread.sleep(300);

      int before = moves.get();
      assertThat(before).as("a look, and then it waits").isLessThan(5);
      ahead.hurry();
      while (moves.get() <= before) {
        Thread.sleep(1); // until it has looked once more, as a face may have come
      }

      line.enter(0, 2); // these tasks are over
      goesOn.countDown();
      assertThat(first.get().supersteps()).isEqualTo(1);
      assertThat(second.get().supersteps()).isZero();
    } finally {
      goesOn.countDown();
      tasks.shutdownNow();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes all of the heap of this process that copies may have; returns how many bytes. */
  private static long takeAll(HeapShare heap) {
    long others = 0;
    for (long part = 1L << 50; part > 0; part /= 2) {
      others += heap.takeCopy(part) ? part : 0;
    }
    return others;
  }

  /** A block has ten cells of two fields; the heap of this process has room for one copy. */
  @Test
  void aCheckpointCopiesAsManyBlocksAsTheHeapHasRoomFor() throws Exception {
    long copy = 10 * 2 * Double.BYTES;
    CountDownLatch goesOn = new CountDownLatch(1);
    HeapShare heap = BlockRegistry.of(ExecutorRuntime.current()).heap();
    long others = 0;
    CheckpointSink sink =
        (own, cells) -> {
          if (Thread.currentThread().getName().startsWith("stencil-checkpoint")) {
            await(goesOn);
          }
          return ((double[]) cells.fields().get(0)).clone();
        };
    try (LineOfBlocks line = new LineOfBlocks(2)) {
      begin(line, 2);
      others = takeAll(heap) - copy;
      heap.giveCopy(copy);
      Orders orders = line.to(1).writing(1, sink, false, 0);

      assertThat(line.bring(0, orders, 1).checkpoint().stage()).isEqualTo(Stage.PENDING);
      assertThat(heap.copiedBytes()).isEqualTo(others + copy);
      Written own = line.bring(1, orders, 1).checkpoint();
      assertThat(own.stage()).as("by its task").isEqualTo(Stage.DONE);
      assertThat(own.receipt()).isEqualTo(line.expected(1, 1));
      assertThat(heap.copiedBytes()).isEqualTo(others + copy);

      goesOn.countDown();
      Orders awaiting = line.to(1).writing(1, sink, true, 0);
      Written written = line.bring(0, awaiting, 2).checkpoint();
      assertThat(written.receipt()).isEqualTo(line.expected(0, 1));
      assertThat(heap.copiedBytes()).isEqualTo(others);
    } finally {
      goesOn.countDown();
      heap.giveCopy(others);
    }
  }

  /** The heap has room for no copy; tasks of two blocks wait for the core of the first. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void tasksThatWaitWhileCellsAreWrittenWriteTheirsInLaterJobs(boolean awaits) throws Exception {
    HeapShare heap = BlockRegistry.of(ExecutorRuntime.current()).heap();
    long others = 0;
    CheckpointSink sink = (own, cells) -> ((double[]) cells.fields().get(0)).clone();
    try (LineOfBlocks line = new LineOfBlocks(3)) {
      begin(line, 3);
      for (int block = 0; block < 3; block++) {
        line.bring(block, line.to(1), 1);
      }
      others = takeAll(heap);
      Orders orders = line.to(1).writing(1, sink, awaits, 0);

      assertThat(line.bring(0, orders, 2).checkpoint().stage()).isEqualTo(Stage.DONE);
      for (int block = 1; block < 3; block++) {
        BlockResult waiting = line.bring(block, orders, 2);
        assertThat(waiting.state()).isEqualTo(1);
        assertThat(waiting.checkpoint().stage()).isEqualTo(Stage.PENDING);
      }
      Orders further = line.to(2).writing(1, sink, awaits, 0);
      BlockResult first = line.bring(0, further, 3); // which writes that of a neighbour
      assertThat(first.missing()).isEmpty();
      for (int job = 4; job < 6; job++) {
        line.bring(1, further, job);
        line.bring(2, further, job);
      }
      for (int block = 0; block < 3; block++) {
        BlockResult done = line.bring(block, further, 6);
        assertThat(done.state()).isEqualTo(2);
        assertThat(done.checkpoint().receipt()).isEqualTo(line.expected(block, 1));
        assertThat(line.cells(block, 6)).isEqualTo(line.expected(block, 2));
      }
    } finally {
      heap.giveCopy(others);
    }
  }

  /** Block 2 is elsewhere, but a task of it that was given up has left its cells here as well. */
  @Test
  void aBlockThatNobodyBringsOnHoldsItsNeighboursUpForNothing() throws InterruptedException {
    try (LineOfBlocks line = new LineOfBlocks(4)) {
      begin(line, 3);
      Runnable nothing = () -> {};

      line.bring(1, line.to(2), 5, 2, nothing);
      assertThat(line.enter(2, 0).block().isEmpty()).as("may come back").isFalse();
      BlockResult result = line.bring(1, line.to(2), 6, 2, nothing);

      assertThat(result.missing()).containsExactly(new MissingFace(2, 1));
      assertThat(line.enter(2, 7).block().isEmpty()).isTrue();
      assertThat(line.enter(0, 7).block().isEmpty()).as("belongs here").isFalse();
    }
  }

  @Test
  void aTaskOfAnEarlierJobDoesNothingAnyMore() throws InterruptedException {
    try (LineOfBlocks line = new LineOfBlocks(2)) {
      begin(line, 2);
      line.enter(0, 5);

      assertThat(line.bring(0, line.to(3), 4).supersteps()).isZero();
      assertThat(line.bring(0, line.to(3), 5).supersteps()).isEqualTo(3);
    }
  }
}
