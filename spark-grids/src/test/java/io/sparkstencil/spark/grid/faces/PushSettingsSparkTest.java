/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.grid.faces.PushInbox.FaceLender;
import io.sparkstencil.spark.grid.faces.PushedFaces.Expected;
import io.sparkstencil.testkit.programs.LentFace;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.netty.SparkTransportConf;
import org.apache.spark.network.server.NoOpRpcHandler;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/** The server for faces listens and encrypts as Spark's settings say. */
@Timeout(120)
final class PushSettingsSparkTest {
  private static final int SOURCE = 3;
  private static final int TARGET = 9;
  private static final int BYTES = 5 << 20;
  private static final String PASSWORD = "of a test";

  @TempDir Path folder;
  private FacePusher pusher;
  private SparkSession spark;

  @BeforeEach
  void stopOthers() {
    Sessions.stopOpen();
  }

  @AfterEach
  void stop() {
    pusher.close(0);
    spark.stop();
  }

  private PushRun start(Map<String, String> settings) {
    SparkSession.Builder builder = Sessions.builder("local[1]");
    settings.forEach(builder::config);
    spark = builder.getOrCreate();
    pusher = new FacePusher(new StencilConf(Map.of()));
    return pusher.enter(12).orElseThrow();
  }

  /** Makes a key and a certificate that it has signed itself. */
  private Path store() throws Exception {
    Path store = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "test",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=test",
                    "-ext",
                    "san=ip:127.0.0.1",
                    "-validity",
                    "2",
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    PASSWORD,
                    "-keystore",
                    store.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    assertThat(keytool.waitFor()).as(said).isZero();
    return store;
  }

  private static Map<String, String> tls(Path store) {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.authenticate", "true");
    settings.put("spark.authenticate.secret", PASSWORD);
    settings.put("spark.ssl.rpc.enabled", "true");
    settings.put("spark.ssl.rpc.protocol", "TLSv1.3");
    for (String kind : List.of("key", "trust")) {
      settings.put("spark.ssl.rpc.%sStore".formatted(kind), store.toString());
      settings.put("spark.ssl.rpc.%sStoreType".formatted(kind), "PKCS12");
      settings.put("spark.ssl.rpc.%sStorePassword".formatted(kind), PASSWORD);
    }
    settings.put("spark.ssl.rpc.keyPassword", PASSWORD);
    return settings;
  }

  @Test
  void facesAreEncryptedByTlsWhereSparkIsToldSo() throws Exception {
    PushRun run = start(tls(store()));
    PushInbox inbox =
        new PushInbox(
            Map.of(SOURCE, new Expected(BYTES, 2)), pusher.room(), FaceLender.NONE, () -> {});
    run.add(TARGET, inbox);
    byte[] cells = new byte[BYTES];
    new Random(7).nextBytes(cells);
    for (int state = 1; state < 6; state++) {
      LentFace lent = LentFace.lend(BYTES);
      lent.bytes().put(cells);

      assertThat(push(run, state, lent)).isEqualTo(PushAnswer.TAKEN);

      assertThat(inbox.take(SOURCE, state).orElseThrow().bytes()).isEqualTo(ByteBuffer.wrap(cells));
      inbox.pass(state);
    }
    for (int tries = 0; LentFace.countLent() > 0 && tries < 500; tries++) {
      Thread.sleep(20);
    }
    assertThat(LentFace.countLent()).isZero();
    requireThatPlainConnectionsAreRefused(run);
    inbox.close();
  }

  private PushAnswer push(PushRun run, int state, LentFace lent) throws Exception {
    PushHeader header = new PushHeader(run.ticket().secret(), SOURCE, TARGET, state, BYTES);
    FaceBytes face = new FaceBytes(lent);
    try {
      for (int tries = 0; ; tries++) {
        try {
          return pusher.peer(run.ticket()).send(header, face).get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
          if (tries == 100 || !"not connected".equals(e.getCause().getMessage())) {
            throw e;
          }
          Thread.sleep(20); // it is being connected
        }
      }
    } finally {
      face.release();
    }
  }

  private static void requireThatPlainConnectionsAreRefused(PushRun run) throws Exception {
    SparkConf plain = new SparkConf(false);
    CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
    try (TransportContext context =
            new TransportContext(
                SparkTransportConf.fromSparkConf(
                    plain, "shuffle", 1, Option.empty(), Option.empty()),
                new NoOpRpcHandler());
        TransportClientFactory clients = context.createClientFactory();
        TransportClient client = clients.createClient(run.ticket().host(), run.ticket().port())) {
      PushHeader header = new PushHeader(run.ticket().secret(), SOURCE, TARGET, 9, 8);
      PushTransportSparkTest.upload(client, header, ByteBuffer.allocate(8), answer);
      assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
    }
  }

  /** As in containers, which others find by an address that is not theirs. */
  @Test
  void theServerListensWhereTheBlockManagerDoes() throws IOException {
    PushTicket ticket =
        start(Map.of("spark.driver.host", "127.0.0.2", "spark.driver.bindAddress", "127.0.0.1"))
            .ticket();

    assertThat(ticket.host()).as("where others find it").isEqualTo("127.0.0.2");
    new Socket(InetAddress.getByName("127.0.0.1"), ticket.port()).close();
    assertThatThrownBy(() -> new Socket(InetAddress.getByName("127.0.0.2"), ticket.port()))
        .isInstanceOf(ConnectException.class);
  }
}
