/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.spark.grid.faces.StreamsAlone;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkConf;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.netty.SparkTransportConf;
import org.apache.spark.network.server.TransportServer;
import scala.Option;

/**
 * How fast two processes of this host move bytes to each other, both ways at once and in parts as
 * faces have them: over plain sockets, and over Spark's transport. What faces are pushed at cannot
 * be more.
 */
public final class LinkSpeed {
  private static final int PART_BYTES = 2 << 20;
  private static final int PARTS_ON_THEIR_WAY = 12;
  private static final long MEASURED_NANOS = 3_000_000_000L;
  private static final long LONGEST_NANOS = 4 * MEASURED_NANOS;
  private static final List<Integer> CONNECTIONS = List.of(1, 4, 8);

  private LinkSpeed() {}

  /** Measures, or is the other process of a measurement, which gets three arguments. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      int connections = Integer.parseInt(arguments[1]);
      int port = Integer.parseInt(arguments[2]);
      move(arguments[0], connections, port, port + 1);
      return;
    }
    System.out.printf(
        "memory: %.1f GB/s copied by one thread; %s%n",
        copied(), ManagementFactory.getRuntimeMXBean().getVmVersion());
    for (String way : List.of("sockets", "transport NIO", "transport EPOLL")) {
      for (int connections : CONNECTIONS) {
        measure(way, connections);
      }
    }
  }

  private static void measure(String way, int connections) throws Exception {
    int port = freePort();
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Dio.netty.tryReflectionSetAccessible=true",
                LinkSpeed.class.getName(),
                way,
                Integer.toString(connections),
                Integer.toString(port))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      double[] done = move(way, connections, port + 1, port);
      System.out.printf(
          "%s, %d connections: %.2f GB/s each way, %.2f ns of a core for a byte that is sent and one that comes%n",
          way, connections, done[0], done[1]);
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0)) {
      return any.getLocalPort();
    }
  }

  private static double copied() {
    ByteBuffer from = ByteBuffer.allocateDirect(64 << 20);
    ByteBuffer to = ByteBuffer.allocateDirect(64 << 20);
    long start = 0;
    int rounds = 40;
    for (int i = -8; i < rounds; i++) {
      start = i == 0 ? System.nanoTime() : start;
      to.put(0, from, 0, from.capacity());
    }
    return (double) rounds * from.capacity() / (System.nanoTime() - start);
  }

  /**
   * Moves bytes to a process that does the same.
   *
   * @return the gigabytes that came in a second, and the nanoseconds of cores for each of them
   */
  private static double[] move(String way, int connections, int here, int there) throws Exception {
    AtomicLong come = new AtomicLong();
    List<ByteBuffer> parts = new ArrayList<>();
    for (int i = 0; i < PARTS_ON_THEIR_WAY; i++) {
      parts.add(ByteBuffer.allocateDirect(PART_BYTES));
    }
    if (way.equals("sockets")) {
      overSockets(connections, here, there, come);
    } else {
      overTransport(way.substring(way.indexOf(' ') + 1), connections, here, there, parts, come);
    }
    while (come.get() == 0) {
      Thread.sleep(10);
    }
    Thread.sleep(1000); // so that code is compiled
    long bytes = come.get();
    long cpu = cpuNanos();
    long start = System.nanoTime();
    Thread.sleep(TimeUnit.NANOSECONDS.toMillis(MEASURED_NANOS));
    double moved = come.get() - bytes;
    double[] done = {moved / (System.nanoTime() - start), (cpuNanos() - cpu) / moved};
    Thread.sleep(500); // while the other one measures
    return done;
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }

  private static void begin(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) { // the other process has ended
                Thread.currentThread().interrupt();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private interface Work {
    void run() throws Exception;
  }

  private static <T> T again(Connect<T> connect) throws Exception {
    for (long start = System.nanoTime(); ; Thread.sleep(50)) {
      try {
        return connect.run();
      } catch (IOException e) {
        if (System.nanoTime() - start > LONGEST_NANOS) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private interface Connect<T> {
    T run() throws Exception;
  }

  private static void overSockets(int connections, int here, int there, AtomicLong come)
      throws Exception {
    InetAddress host = InetAddress.getLoopbackAddress();
    ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(host, here));
    for (int i = 0; i < connections; i++) {
      begin(
          () -> {
            SocketChannel from = server.accept();
            ByteBuffer part = ByteBuffer.allocateDirect(PART_BYTES);
            for (int bytes = 0; bytes >= 0; bytes = from.read(part.clear())) {
              come.addAndGet(bytes);
            }
          });
      SocketChannel to = again(() -> SocketChannel.open(new InetSocketAddress(host, there)));
      begin(
          () -> {
            ByteBuffer part = ByteBuffer.allocateDirect(PART_BYTES);
            while (true) {
              to.write(part.hasRemaining() ? part : part.clear());
            }
          });
    }
  }

  private static void overTransport(
      String mode, int connections, int here, int there, List<ByteBuffer> parts, AtomicLong come)
      throws Exception {
    SparkConf conf = new SparkConf(false).set("spark.shuffle.io.mode", mode);
    String host = InetAddress.getLoopbackAddress().getHostAddress();
    TransportContext context =
        new TransportContext(
            SparkTransportConf.fromSparkConf(conf, "shuffle", 8, Option.empty(), Option.empty()),
            new Counting(come));
    TransportServer server = context.createServer(host, here, List.of());
    TransportClientFactory clients = context.createClientFactory();
    Semaphore free = new Semaphore(PARTS_ON_THEIR_WAY);
    List<TransportClient> all = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      all.add(again(() -> clients.createUnmanagedClient(host, there)));
    }
    begin(
        () -> {
          for (int i = 0; server.getPort() == here; i++) {
            free.acquire();
            all.get(i % connections)
                .uploadStream(
                    new NioManagedBuffer(ByteBuffer.allocate(16)),
                    new NioManagedBuffer(parts.get(i % parts.size()).duplicate()),
                    new Freeing(free));
          }
        });
  }

  private record Freeing(Semaphore free) implements RpcResponseCallback {
    @Override
    public void onSuccess(ByteBuffer response) {
      free.release();
    }

    @Override
    public void onFailure(Throwable failure) {
      free.release();
    }
  }

  /** Copies what comes to memory that stands for that of a face. */
  private static final class Counting extends StreamsAlone {
    private final AtomicLong come;

    Counting(AtomicLong come) {
      super("parts that are counted");
      this.come = come;
    }

    @Override
    public StreamCallbackWithID receiveStream(
        TransportClient client, ByteBuffer header, RpcResponseCallback callback) {
      return new CountedStream(come);
    }
  }

  private record CountedStream(AtomicLong come) implements StreamCallbackWithID {
    private static final ThreadLocal<ByteBuffer> FACE =
        ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(PART_BYTES));

    @Override
    public String getID() {
      return "part";
    }

    @Override
    public void onData(String id, ByteBuffer piece) {
      come.addAndGet(piece.remaining());
      ByteBuffer face = FACE.get();
      (face.remaining() < piece.remaining() ? face.clear() : face).put(piece);
    }

    @Override
    public void onComplete(String id) {
      // counted
    }

    @Override
    public void onFailure(String id, Throwable cause) {
      // the other process has ended
    }

    @Override
    public ByteBuffer getCompletionResponse() {
      return ByteBuffer.allocate(1);
    }
  }
}
