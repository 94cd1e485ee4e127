/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.grid.faces.PushInbox.FaceLender;
import io.sparkstencil.spark.grid.faces.PushedFaces.Expected;
import io.sparkstencil.testkit.programs.LentFace;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one block's want of memory, one late answer, and an end in the middle do to others. */
@Timeout(120)
final class PushFaultsSparkTest {
  private static final int SOURCE = 3;
  private static final int TARGET = 9;
  private static final int BYTES = 1 << 10;

  private static SparkSession spark;

  private final FacePusher pusher = new FacePusher(new StencilConf(Map.of()));
  private final PushRun run = pusher.enter(12).orElseThrow();
  private final PushRoom room = new PushRoom(BYTES); // for one face
  private Runnable notice = () -> {};

  @BeforeAll
  static void start() {
    Sessions.stopOpen();
    spark = Sessions.builder("local[1]").getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void close() {
    pusher.close(0);
  }

  private PushInbox inbox(int target) {
    PushInbox inbox =
        new PushInbox(
            Map.of(SOURCE, new Expected(BYTES, 1)), room, FaceLender.NONE, () -> notice.run());
    run.add(target, inbox);
    return inbox;
  }

  private CompletableFuture<Boolean> push(int target, int state) {
    return run.push(
        BlockBytes.here(),
        () -> Optional.of(run.ticket().toBytes()),
        SOURCE,
        target,
        state,
        new FaceBytes(new HeapFace(ByteBuffer.allocate(BYTES))));
  }

  /**
   * Pushes a face, again where cores are too busy for an answer in time; returns whether it came.
   */
  private boolean isTaken(int target, int state) throws Exception {
    while (true) {
      long start = System.nanoTime();
      boolean taken = push(target, state).get(20, TimeUnit.SECONDS);
      if (taken || System.nanoTime() - start < PushPeer.ANSWER_NANOS / 2) {
        return taken;
      }
    }
  }

  private void connect(int target, int state) throws Exception {
    while (!push(target, state).get(20, TimeUnit.SECONDS)) {
      Thread.sleep(20); // the ticket is looked for, and connections are made
    }
  }

  @Test
  void aBlockWithoutRoomKeepsNoFaceFromOthers() throws Exception {
    PushInbox inbox = inbox(TARGET);
    PushInbox without = inbox(TARGET + 1);
    connect(TARGET, 4);
    assertThat(isTaken(TARGET + 1, 4)).as("no room").isFalse();
    inbox.pass(4);

    assertThat(isTaken(TARGET, 5)).as("in memory that it has").isTrue();
    assertThat(push(TARGET + 1, 5)).as("left alone").isCompletedWithValue(false);
    inbox.close();
    without.close();
  }

  @Test
  void anAnswerThatIsLateEndsItsConnectionAlone() throws Exception {
    PushInbox inbox = inbox(TARGET);
    connect(TARGET, 4);
    inbox.pass(4);
    CountDownLatch open = new CountDownLatch(1);
    notice =
        () -> {
          try {
            open.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    try {
      assertThat(push(TARGET, 5).get(20, TimeUnit.SECONDS)).as("nobody answers").isFalse();
      PushHeader next = new PushHeader(run.ticket().secret(), SOURCE, TARGET, 6, BYTES);
      FaceBytes face = new FaceBytes(new HeapFace(ByteBuffer.allocate(BYTES)));
      CompletableFuture<PushAnswer> answer = pusher.peer(run.ticket()).send(next, face);
      assertThat(answer.isCompletedExceptionally()).as("without connections").isFalse();
      open.countDown();
      assertThat(answer.get(20, TimeUnit.SECONDS)).isIn(PushAnswer.TAKEN, PushAnswer.BUSY);
    } finally {
      open.countDown();
    }
    inbox.close();
  }

  @Test
  void theEndWaitsForMemoryThatTheNetworkReads() throws Exception {
    int before = LentFace.countLent();
    FaceBytes face = new FaceBytes(pusher.watched(LentFace.lend(BYTES)));
    CompletableFuture<Void> end = CompletableFuture.runAsync(() -> pusher.close(60_000));
    Thread.sleep(300);
    assertThat(end).isNotDone();
    face.release();
    end.get(20, TimeUnit.SECONDS);
    assertThat(LentFace.countLent()).isEqualTo(before);
  }
}
