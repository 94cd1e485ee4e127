/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientBootstrap;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.crypto.AuthClientBootstrap;
import org.apache.spark.network.crypto.AuthServerBootstrap;
import org.apache.spark.network.netty.SparkTransportConf;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.server.TransportServerBootstrap;
import org.apache.spark.network.util.TransportConf;
import scala.Option;

/**
 * Spark's own transport, with a server of its own: the same authentication, encryption and settings
 * as those of the block managers. It takes faces, and nothing else.
 */
final class PushTransport implements AutoCloseable {
  /** The settings of the block managers are those of this module, too. */
  private static final String MODULE = "shuffle";

  /** Connections that are not there after this time are not waited for. */
  static final String CONNECT_TIMEOUT = "2s";

  /** Each connection has one thread at each end, which is what limits it. */
  static final int CONNECTIONS = 4;

  private static final int MOST_THREADS = 8;
  private static final int PORTS_TRIED = 16;

  private final TransportContext context;
  private final TransportServer server;
  private final TransportClientFactory clients;
  private final String host;

  /**
   * Starts a server.
   *
   * @param port that it has, or the next that is free; 0 for any
   * @param receiver takes faces
   * @throws IOException if no port is free
   */
  PushTransport(SparkEnv environment, int port, Function<PushHeader, PushArrival> receiver)
      throws IOException {
    SecurityManager security = environment.securityManager();
    SparkConf settings =
        environment
            .conf()
            .clone()
            .set("spark.shuffle.io.connectionCreationTimeout", CONNECT_TIMEOUT);
    TransportConf conf =
        SparkTransportConf.fromSparkConf(
            settings,
            MODULE,
            Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()),
            Option.empty(),
            Option.apply(security.getRpcSSLOptions()));
    boolean authenticates = security.isAuthenticationEnabled();
    List<TransportServerBootstrap> asServer =
        authenticates ? List.of(new AuthServerBootstrap(conf, security)) : List.of();
    List<TransportClientBootstrap> asClient =
        authenticates
            ? List.of(new AuthClientBootstrap(conf, settings.getAppId(), security))
            : List.of();
    host = environment.blockManager().blockManagerId().host();
    context = new TransportContext(conf, new Receiving(receiver));
    try {
      server = serve(port, asServer);
    } catch (IOException | RuntimeException e) {
      context.close();
      throw e;
    }
    clients = context.createClientFactory(asClient);
  }

  private TransportServer serve(int port, List<TransportServerBootstrap> bootstraps)
      throws IOException {
    for (int next = port; ; next++) {
      try {
        return context.createServer(BlockBytes.bindAddress(), next, bootstraps);
      } catch (Exception e) { // of Netty, which declares none; several say that a port is in use
        if (port == 0 || next == port + PORTS_TRIED - 1) {
          throw new IOException(
              "no server for faces can be started on %s, port %d: %s"
                  .formatted(BlockBytes.bindAddress(), next, e.getMessage()),
              e);
        }
      }
    }
  }

  /** Returns the host that others find the server at. */
  String host() {
    return host;
  }

  int port() {
    return server.getPort();
  }

  /** Connects to the server of another executor; waits until that is done. */
  TransportClient connect(String there, int port) throws IOException, InterruptedException {
    return clients.createUnmanagedClient(there, port);
  }

  /**
   * Sends a part of a face; does not wait.
   *
   * @param face retained until there is an answer
   */
  static void send(
      TransportClient client, PushHeader header, FaceBytes face, RpcResponseCallback answer) {
    PushBody part = new PushBody(face, header.offset(), header.partBytes());
    client.uploadStream(new NioManagedBuffer(header.toBuffer()), part, answer);
  }

  /** What the server does with what comes. */
  private static final class Receiving extends StreamsAlone {
    private final Function<PushHeader, PushArrival> receiver;

    Receiving(Function<PushHeader, PushArrival> receiver) {
      super("faces of grids");
      this.receiver = receiver;
    }

    @Override
    public StreamCallbackWithID receiveStream(
        TransportClient client, ByteBuffer header, RpcResponseCallback callback) {
      return new Arriving(receiver.apply(PushHeader.of(header)));
    }
  }

  /** A face as Spark hands it over. */
  private static final class Arriving implements StreamCallbackWithID {
    private final PushArrival arrival;
    private PushAnswer answer;

    Arriving(PushArrival arrival) {
      this.arrival = arrival;
    }

    @Override
    public String getID() {
      return "face";
    }

    @Override
    public void onData(String id, ByteBuffer piece) {
      arrival.data(piece);
    }

    @Override
    public void onComplete(String id) {
      answer = arrival.end();
    }

    @Override
    public void onFailure(String id, Throwable cause) {
      arrival.fail();
    }

    @Override
    public ByteBuffer getCompletionResponse() {
      return answer.toBuffer(); // Spark sends it by itself
    }
  }

  @Override
  public void close() {
    clients.close();
    server.close();
    context.close();
  }
}
