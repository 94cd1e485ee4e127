/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.blocks.HeapMark;
import io.sparkstencil.spark.grid.blocks.HeapShare;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.blocks.RunKey;
import io.sparkstencil.spark.grid.faces.FaceLog.Put;
import io.sparkstencil.spark.grid.tasks.GivenFaces.Logging;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of faces for which the device has no room, and the log has no time. */
@Timeout(120)
final class GivenFacesSparkTest {
  /** A face whose memory keeps nothing. */
  private static final class FullFace implements SharedFace {
    private final List<Integer> read = new ArrayList<>();

    @Override
    public byte[] ticket() {
      return new byte[8];
    }

    @Override
    public int slots() {
      return FEWEST_SLOTS;
    }

    @Override
    public boolean put(int state, boolean keeps) {
      return false;
    }

    @Override
    public Optional<ByteBuffer> get(int state) {
      read.add(state);
      return Optional.of(ByteBuffer.allocate(8));
    }

    @Override
    public List<Integer> states() {
      return List.of();
    }

    @Override
    public List<Kept> kept() {
      return List.of();
    }

    @Override
    public long keptBytes() {
      return 0;
    }

    @Override
    public void giveUpBefore(int state) {
      // nothing is kept
    }
  }

  /** Shares three states of which none is logged in time; returns whether the log was given up. */
  private static boolean givesUp(FullFace face, long faceBytes) throws Exception {
    Sessions.stopOpen();
    BlockRegistry registry = new BlockRegistry(new HeapShare(1L << 20, 1));
    try (SparkSession spark = Sessions.builder("local[1]").getOrCreate()) {
      HeldBlock held = registry.enter(new RunKey("grid", 1), 0, 0, HeapMark::new).block();
      BlockTally tally = BlockWork.tally(held);
      GivenFaces given = new GivenFaces();
      Put ticket = new Put(BlockBytes.newId(spark.sparkContext()), 0);
      for (int state = 0; state <= FullFace.FEWEST_SLOTS; state++) {
        given.share(
            1,
            face,
            faceBytes,
            state,
            ticket,
            Logging.FOR_RECOVERY,
            bytes -> List.of(),
            work -> {}, // a thread that never gets a core
            tally);
      }
      given.cellsAreGone();
      return tally.cost(held, 0).log().gaveUp();
    } finally {
      registry.close(0);
    }
  }

  @Test
  void aLargeFaceThatIsLateIsGivenUpAndNotReadByWhoSteps() throws Exception {
    FullFace face = new FullFace();
    assertThat(givesUp(face, 8 << 20)).isTrue();
    assertThat(face.read).isEmpty();
  }

  @Test
  void aSmallFaceThatIsLateIsReadAndWaitsForTheLog() throws Exception {
    FullFace face = new FullFace();
    assertThat(givesUp(face, 1 << 10)).isFalse();
    assertThat(face.read).containsExactly(0);
  }
}
