/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.FaceBuffer;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.grid.faces.PushInbox.FaceLender;
import io.sparkstencil.spark.grid.faces.PushedFaces.Expected;
import io.sparkstencil.testkit.LeakCheck;
import io.sparkstencil.testkit.programs.LentFace;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.netty.SparkTransportConf;
import org.apache.spark.network.server.NoOpRpcHandler;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import scala.Option;

/** What the server for faces takes, of whom, and how it ends. */
@Timeout(120)
final class PushTransportSparkTest {
  private static final int RUN = 12;
  private static final int SOURCE = 3;
  private static final int TARGET = 9;
  private static final int BYTES = 3 << 20;

  private static SparkSession spark;

  private final FacePusher pusher = new FacePusher(new StencilConf(Map.of()));
  private final PushRun run = pusher.enter(RUN).orElseThrow();
  private final PushInbox inbox =
      new PushInbox(
          Map.of(SOURCE, new Expected(BYTES, 2)), pusher.room(), FaceLender.NONE, () -> {});

  @RegisterExtension
  final LeakCheck leaks =
      new LeakCheck()
          .watchThreads("stencil-face-push")
          .watch("bytes of faces", () -> (int) pusher.room().used());

  @BeforeAll
  static void start() {
    Sessions.stopOpen();
    spark =
        Sessions.builder("local[1]")
            .config("spark.authenticate", "true")
            .config("spark.authenticate.secret", "none that matters")
            .config("spark.network.crypto.enabled", "true")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void close() {
    inbox.close();
    pusher.close(0);
  }

  private static ByteBuffer face() {
    byte[] bytes = new byte[BYTES];
    new Random(7).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private PushHeader header(PushSecret secret, int target, int bytes) {
    return new PushHeader(secret, SOURCE, target, 4, bytes);
  }

  private PushAnswer push(PushHeader header, ByteBuffer face) throws Exception {
    return push(header, new FaceBytes(new HeapFace(face)));
  }

  private PushAnswer push(PushHeader header, FaceBytes face) throws Exception {
    for (int tries = 0; ; tries++) {
      try {
        return pusher.peer(run.ticket()).send(header, face).get(20, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        boolean late = e.getCause() instanceof TimeoutException; // as where cores are busy
        if (tries == 100 || !late && !"not connected".equals(e.getCause().getMessage())) {
          throw e;
        }
        Thread.sleep(20); // it is being connected
      }
    }
  }

  @Test
  void aFaceComesAsItWasSent() throws Exception {
    run.add(TARGET, inbox);
    assertThat(run.isHeard()).isFalse();

    assertThat(push(header(run.ticket().secret(), TARGET, BYTES), face()))
        .isEqualTo(PushAnswer.TAKEN);

    assertThat(inbox.take(SOURCE, 4).map(FaceBuffer::bytes)).contains(face());
    assertThat(run.isHeard()).isTrue();
  }

  private static LentFace lentFace() {
    LentFace lent = LentFace.lend(BYTES);
    lent.bytes().put(face());
    return lent;
  }

  private static void awaitLent(int count) throws InterruptedException {
    for (int tries = 0; LentFace.countLent() != count && tries < 500; tries++) {
      Thread.sleep(20);
    }
    assertThat(LentFace.countLent()).isEqualTo(count);
  }

  /**
   * Whoever gives a face may go before all of it is sent; its memory is poisoned as it goes back.
   */
  @Test
  void aFaceIsSentFromMemoryThatGoesBackWhenTheTransportIsDoneWithIt() throws Exception {
    run.add(TARGET, inbox);
    PushHeader header = header(run.ticket().secret(), TARGET, BYTES);
    assertThat(push(header, face())).as("connects").isEqualTo(PushAnswer.TAKEN);
    inbox.pass(4);
    for (int state = 5; state < 25; state++) {
      FaceBytes bytes = new FaceBytes(lentFace());
      CompletableFuture<PushAnswer> answer =
          pusher
              .peer(run.ticket())
              .send(new PushHeader(header.secret(), SOURCE, TARGET, state, BYTES), bytes);
      bytes.release();

      assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(PushAnswer.TAKEN);
      assertThat(inbox.take(SOURCE, state).orElseThrow().bytes()).isEqualTo(face());
      inbox.pass(state);
    }
    awaitLent(0);
  }

  @Test
  void aConnectionThatEndsInTheMiddleGivesTheMemoryBackAndTakesNoFace() throws Exception {
    run.add(TARGET, inbox);
    PushHeader header = header(run.ticket().secret(), TARGET, BYTES);
    for (int tries = 0; tries < 10; tries++) {
      int state = 5 + tries;
      assertThat(push(header, face())).as("connects").isEqualTo(PushAnswer.TAKEN);
      List<CompletableFuture<PushAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        FaceBytes bytes = new FaceBytes(lentFace());
        answers.add(
            pusher
                .peer(run.ticket())
                .send(new PushHeader(header.secret(), SOURCE, TARGET, state, BYTES), bytes));
        bytes.release();
      }
      pusher.cut();
      for (CompletableFuture<PushAnswer> answer : answers) {
        assertThat(answer.handle((given, failure) -> true).get(20, TimeUnit.SECONDS)).isTrue();
      }
      awaitLent(0);
      inbox
          .take(SOURCE, state)
          .ifPresent(there -> assertThat(there.bytes()).as("all of it").isEqualTo(face()));
      inbox.pass(3);
    }
  }

  @Test
  void nothingIsTakenWithoutATicketThatIsStillGood() throws Exception {
    assertThat(push(header(run.ticket().secret(), TARGET, BYTES), face()))
        .isEqualTo(PushAnswer.NOT_HERE);
    run.add(TARGET, inbox);
    assertThat(push(header(PushSecret.next(), TARGET, BYTES), face()))
        .isEqualTo(PushAnswer.UNKNOWN_RUN);
    assertThat(push(header(run.ticket().secret(), TARGET + 1, BYTES), face()))
        .isEqualTo(PushAnswer.NOT_HERE);
    pusher.leave(run);
    assertThat(push(header(run.ticket().secret(), TARGET, BYTES), face()))
        .isEqualTo(PushAnswer.UNKNOWN_RUN);
    assertThat(inbox.take(SOURCE, 4)).isEmpty();
    assertThat(pusher.room().used()).isZero();
  }

  @Test
  void aFaceThatIsNotAsLongAsItSaysEndsItsConnection() throws Exception {
    run.add(TARGET, inbox);
    PushHeader header = header(run.ticket().secret(), TARGET, BYTES);
    for (int wrong : new int[] {header.partBytes() - 1, header.partBytes() + 1}) {
      CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
      try (PushTransport other =
              new PushTransport(
                  SparkEnv.get(), 0, each -> PushArrival.dropped(PushAnswer.BUSY, 1));
          TransportClient client = other.connect(run.ticket().host(), run.ticket().port())) {
        upload(client, header, ByteBuffer.allocate(wrong), answer);
        assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class);
      }
    }
    ByteBuffer longer = ByteBuffer.allocate(BYTES + 1);
    assertThatThrownBy(() -> push(header(run.ticket().secret(), TARGET, BYTES + 1), longer))
        .isInstanceOf(ExecutionException.class);
    assertThat(inbox.take(SOURCE, 4)).isEmpty();
    assertThat(push(header(run.ticket().secret(), TARGET, BYTES), face()))
        .as("by another one")
        .isEqualTo(PushAnswer.TAKEN);
  }

  static void upload(
      TransportClient client,
      PushHeader header,
      ByteBuffer face,
      CompletableFuture<ByteBuffer> answer) {
    client.uploadStream(
        new NioManagedBuffer(header.toBuffer()),
        new NioManagedBuffer(face),
        new RpcResponseCallback() {
          @Override
          public void onSuccess(ByteBuffer response) {
            answer.complete(response);
          }

          @Override
          public void onFailure(Throwable failure) {
            answer.completeExceptionally(failure);
          }
        });
  }

  @Test
  void whoeverDoesNotKnowTheSecretOfTheApplicationIsRefused() throws Exception {
    run.add(TARGET, inbox);
    CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
    SparkConf conf = new SparkConf(false);
    try (TransportContext context =
            new TransportContext(
                SparkTransportConf.fromSparkConf(
                    conf, "shuffle", 1, Option.empty(), Option.empty()),
                new NoOpRpcHandler());
        TransportClientFactory clients = context.createClientFactory();
        TransportClient client = clients.createClient(run.ticket().host(), run.ticket().port())) {
      upload(client, header(run.ticket().secret(), TARGET, BYTES), face(), answer);

      assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
    }
    assertThat(inbox.take(SOURCE, 4)).isEmpty();
  }

  @Test
  void aTicketGoesWithItsOwnCellsAndNotWithThoseThatCameLater() {
    FaceLog.Put place = new FaceLog.Put(BlockBytes.newId(spark.sparkContext()), 3);
    Object earlier = new Object();
    Object later = new Object();
    FaceLog.putTicket(place, ByteBuffer.wrap(new byte[] {1}), earlier);
    FaceLog.putTicket(place, ByteBuffer.wrap(new byte[] {2}), later);

    FaceLog.removeTicket(place, earlier);
    assertThat(BlockBytes.local(place.id(), place.index()))
        .contains(ByteBuffer.wrap(new byte[] {2}));
    FaceLog.removeTicket(place, later);
    assertThat(BlockBytes.local(place.id(), place.index())).isEmpty();
    FaceLog.removeTicket(place, later);
  }

  @Test
  void onlyFacesAreTaken() throws Exception {
    try (PushTransport other =
            new PushTransport(
                SparkEnv.get(), 0, header -> PushArrival.dropped(PushAnswer.BUSY, 1));
        TransportClient client = other.connect(run.ticket().host(), run.ticket().port())) {
      assertThatThrownBy(() -> client.sendRpcSync(ByteBuffer.allocate(10), 20_000))
          .hasMessageContaining("this server takes faces of grids");
    }
  }

  @Test
  void aLookForATicketThatFailsEndsNoThread() throws InterruptedException {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    CountDownLatch done = new CountDownLatch(8);
    AtomicInteger looks = new AtomicInteger();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
    try {
      while (looks.get() < 2) {
        assertThat(
                run.push(
                    "executor_elsewhere_1",
                    () -> {
                      looks.incrementAndGet();
                      throw new IllegalStateException("the driver does not answer");
                    },
                    SOURCE,
                    TARGET,
                    4,
                    new FaceBytes(new HeapFace(face()))))
            .isCompletedWithValue(false);
        Thread.sleep(5);
      }
      for (int i = 0; i < 8; i++) { // threads go on to the next ones
        pusher.inBackground(
            () -> {
              done.countDown();
              throw new IllegalStateException("the driver does not answer");
            });
      }
      assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(uncaught).isEmpty();
  }

  @Test
  void theNextPortIsTakenIfOneIsInUse() throws IOException {
    try (ServerSocket used = new ServerSocket(0)) {
      Map<String, String> options = new HashMap<>();
      options.put(StencilOptions.GRID_PUSH_PORT.key(), Integer.toString(used.getLocalPort()));
      FacePusher second = new FacePusher(new StencilConf(options));
      try {
        assertThat(second.enter(RUN).orElseThrow().ticket().port())
            .isBetween(used.getLocalPort() + 1, used.getLocalPort() + 15);
      } finally {
        second.close(0);
      }
    }
  }

  @Test
  void nothingListensWherePushesAreSwitchedOff() {
    FacePusher off =
        new FacePusher(new StencilConf(Map.of(StencilOptions.GRID_PUSH.key(), "false")));
    assertThat(off.enter(RUN)).isEmpty();
    off.close(0);
    pusher.close(0);
    assertThat(pusher.enter(RUN)).as("after its end").isEmpty();
  }
}
