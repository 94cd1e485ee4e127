/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FaceBuffer;
import io.sparkstencil.grid.FaceKeeper;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.blocks.HeapMark;
import io.sparkstencil.spark.grid.blocks.HeapShare;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.blocks.RunKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of faces that a block gives. */
@Timeout(120)
final class PushedFacesSparkTest {
  /** Hears nothing. */
  private static final class Deaf implements PushedFaces.Notes {
    @Override
    public void put(FaceLog.Put put) {
      // of no interest
    }

    @Override
    public void logged(long bytes, long nanos) {
      // of no interest
    }

    @Override
    public void giveUp() {
      // of no interest
    }
  }

  /** Memory whose bytes the log does not get for a while. */
  private static final class SlowFace implements FaceBuffer {
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    @Override
    public ByteBuffer bytes() {
      if (looks.getAndIncrement() > 0) { // the first look is for the length
        reading.countDown();
        try {
          open.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return ByteBuffer.allocate(100);
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  private static final byte CELL = 7;

  /** Keeps faces, or has no room. */
  private record Keeper(boolean hasRoom, List<Integer> states) implements FaceKeeper {
    @Override
    public boolean keep(int state) {
      return hasRoom && states.add(state);
    }

    @Override
    public Optional<ByteBuffer> get(int state) {
      return states.contains(state)
          ? Optional.of(ByteBuffer.wrap(new byte[] {CELL}))
          : Optional.empty();
    }

    @Override
    public long keptBytes() {
      return states.size();
    }

    @Override
    public void giveUpBefore(int state) {
      states.removeIf(each -> each < state);
    }
  }

  private interface Check {
    void on(PushedFaces faces, BlockRegistry registry, int id) throws Exception;
  }

  /** Opens a block for pushes, under a number for its faces. */
  private static void opened(Check check) throws Exception {
    Sessions.stopOpen();
    StepReach reach = StepReach.of(ProgramText.parse("u' = u[-1]"));
    ExtendedBlock place = ExtendedBlock.of(GridBlocks.cut(List.of(10L), 1, reach), reach, 1, 0);
    BlockRegistry registry = new BlockRegistry(new HeapShare(1L << 20, 1));
    FacePusher pusher = null;
    try (SparkSession spark = Sessions.builder("local[1]").getOrCreate()) {
      pusher = new FacePusher(new StencilConf(Map.of()));
      int id = BlockBytes.newId(spark.sparkContext());
      HeldBlock block = registry.enter(new RunKey("grid", 1), 0, 0, HeapMark::new).block();
      block.load(new BlockArrays(ElementType.F64, place, 1));
      PushedFaces faces = new PushedFaces();
      assertThat(faces.open(pusher, 1, block, Map::of, new FaceLog.Put(id, 9))).isTrue();
      check.on(faces, registry, id);
    } finally {
      registry.close(0);
      if (pusher != null) {
        pusher.close(0);
      }
    }
  }

  /** Gives a face to an executor that is not there. */
  private static void give(
      PushedFaces faces, BlockRegistry registry, int id, FaceBuffer memory, Keeper keeper) {
    faces.give(
        new PushedFaces.Given(1, 3, id, 0, true),
        "executor_elsewhere_1",
        Optional::empty,
        memory,
        2,
        Optional.ofNullable(keeper),
        registry,
        new Deaf());
  }

  private static long saved(BlockRegistry registry) {
    return ((ThreadPoolExecutor) registry.savers()).getTaskCount();
  }

  @Test
  void facesThatAreKeptWhereTheFieldsAreComeToTheBlockManagerWhenTheyAreNeededThere()
      throws Exception {
    opened(
        (faces, registry, id) -> {
          give(faces, registry, id, face(), new Keeper(true, new ArrayList<>()));
          assertThat(saved(registry)).as("put into the log meanwhile").isZero();
          assertThat(faces.keptBytes()).isEqualTo(1);
          assertThat(faces.putKept(2, 3, id, 5)).as("for another block").isEmpty();
          assertThat(faces.putKept(1, 3, id, 5)).containsExactly(new FaceLog.Put(id, 5));
          assertThat(BlockBytes.isAnywhere(id, 5)).as("told").isTrue();
          assertThat(BlockBytes.local(id, 5).orElseThrow().get()).isEqualTo(CELL);
          faces.giveUpBefore(4);
          assertThat(faces.keptBytes()).isZero();
          assertThat(faces.putKept(1, 3, id, 6)).isEmpty();
        });
  }

  @Test
  void facesWithoutRoomWhereTheFieldsAreGoToTheBlockManagerMeanwhile() throws Exception {
    opened(
        (faces, registry, id) -> {
          give(faces, registry, id, face(), new Keeper(false, new ArrayList<>()));
          assertThat(saved(registry)).isEqualTo(1);
          assertThat(faces.putKept(1, 3, id, 5)).isEmpty();
          CompletableFuture.runAsync(() -> {}, registry.savers()).get(20, TimeUnit.SECONDS);
          assertThat(BlockBytes.isHere(id, 0)).isTrue();
        });
  }

  private static FaceBuffer face() {
    return new HeapFace(ByteBuffer.allocate(1));
  }

  @Test
  void cellsGoWhileAFaceOfTheirsIsBeingLogged() throws Exception {
    opened(
        (faces, registry, id) -> {
          SlowFace memory = new SlowFace();
          give(faces, registry, id, memory, null);
          memory.reading.await();

          CompletableFuture<Void> gone = CompletableFuture.runAsync(faces::cellsAreGone);
          try {
            gone.get(20, TimeUnit.SECONDS);
            assertThat(memory.closed).as("while the log reads it").hasValue(0);
          } finally {
            memory.open.countDown();
          }

          for (int tries = 0; memory.closed.get() == 0 && tries < 400; tries++) {
            Thread.sleep(50);
          }
          assertThat(memory.closed).hasValue(1);
          assertThat(BlockBytes.isHere(id, 0)).as("a face that nobody needs").isFalse();
        });
  }
}
