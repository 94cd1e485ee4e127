#!/usr/bin/env bash
# Spark 4.1.3 (spark-network-common): with spark.ssl.rpc.enabled, a message whose body is a ByteBuf never releases the buffer that it was made of.
#
# Whoever sends a ManagedBuffer passes it on to the connection, which releases it when it has been sent. Without TLS, MessageWithHeader does. With TLS,
# SslMessageEncoder puts the header before the ByteBuf of convertToNettyForSsl() and passes on both without the ManagedBuffer; only a body that is
# a stream goes with it, and is released. What Spark 4.1.3 sends by itself does not suffer: FileSegmentManagedBuffer and the blocks of the block manager
# go as streams, NioManagedBuffer has nothing to release, and NettyManagedBuffer, whose memory stays taken, Spark itself does not send. Those who
# send buffers of their own keep them.
. "$(dirname "$0")/packages.bash"
maven org.apache.spark:spark-network-common_2.13:4.1.3
keytool -genkeypair -alias one -keyalg EC -dname CN=findings -ext san=ip:127.0.0.1 -validity 2 -storetype PKCS12 -storepass findings \
  -keystore "$TEMP/keys.p12" > "$TEMP/keytool.log" 2>&1 || { cat "$TEMP/keytool.log" >&2; exit 2; }
cat > "$TEMP/Look.java" <<'JAVA'
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.stream.ChunkedStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NettyManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.StreamCallbackWithID;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.server.NoOpRpcHandler;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

public class Look {
  private static final int BUFFERS = 5;
  private static final int BYTES = 5_000_000;

  /** Counts what is asked of Spark's buffer over a ByteBuffer; and sends it as a stream where it is told to. */
  static final class Counted extends ManagedBuffer {
    private final NioManagedBuffer bytes = new NioManagedBuffer(ByteBuffer.allocate(BYTES));
    private final boolean asStream;
    final AtomicInteger released = new AtomicInteger();

    Counted(boolean asStream) {
      this.asStream = asStream;
    }

    @Override public long size() {
      return bytes.size();
    }

    @Override public ByteBuffer nioByteBuffer() throws IOException {
      return bytes.nioByteBuffer();
    }

    @Override public InputStream createInputStream() throws IOException {
      return bytes.createInputStream();
    }

    @Override public ManagedBuffer retain() {
      return this;
    }

    @Override public ManagedBuffer release() {
      released.incrementAndGet();
      return this;
    }

    @Override public Object convertToNetty() throws IOException {
      return bytes.convertToNetty();
    }

    @Override public Object convertToNettyForSsl() throws IOException {
      return asStream ? new ChunkedStream(createInputStream(), 1 << 16) : bytes.convertToNettyForSsl();
    }
  }

  /** Takes streams and counts their bytes. */
  static final class Receiver extends NoOpRpcHandler {
    long bytes;

    @Override public StreamCallbackWithID receiveStream(TransportClient client, ByteBuffer header, RpcResponseCallback callback) {
      return new StreamCallbackWithID() {
        @Override public String getID() {
          return "one";
        }

        @Override public void onData(String id, ByteBuffer data) {
          bytes += data.remaining();
        }

        @Override public void onComplete(String id) {
          callback.onSuccess(ByteBuffer.allocate(0));
        }

        @Override public void onFailure(String id, Throwable cause) {
          callback.onFailure(cause);
        }
      };
    }
  }

  /** Sends the buffers, and waits until each is acknowledged and the connection is closed. */
  static void send(boolean tls, String keys, List<? extends ManagedBuffer> buffers) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.ssl.rpc.enabled", String.valueOf(tls));
    settings.put("spark.ssl.rpc.protocol", "TLSv1.3");
    settings.put("spark.ssl.rpc.keyStore", keys);
    settings.put("spark.ssl.rpc.keyStorePassword", "findings");
    settings.put("spark.ssl.rpc.keyPassword", "findings");
    settings.put("spark.ssl.rpc.trustStore", keys);
    settings.put("spark.ssl.rpc.trustStorePassword", "findings");
    Receiver receiver = new Receiver();
    CountDownLatch answers = new CountDownLatch(buffers.size());
    List<Throwable> failures = new ArrayList<>();
    try (var context = new TransportContext(new TransportConf("rpc", new MapConfigProvider(settings)), receiver);
        var server = context.createServer("127.0.0.1", 0, List.of());
        var clients = context.createClientFactory();
        var client = clients.createClient("127.0.0.1", server.getPort())) {
      if (context.sslEncryptionEnabled() != tls) {
        throw new IllegalStateException("TLS is not as it was set");
      }
      for (ManagedBuffer buffer : buffers) {
        client.uploadStream(new NioManagedBuffer(ByteBuffer.wrap(new byte[] {1})), buffer, new RpcResponseCallback() {
          @Override public void onSuccess(ByteBuffer response) {
            answers.countDown();
          }

          @Override public void onFailure(Throwable cause) {
            failures.add(cause);
            answers.countDown();
          }
        });
      }
      if (!answers.await(60, TimeUnit.SECONDS) || !failures.isEmpty() || receiver.bytes != (long) BYTES * buffers.size()) {
        throw new IllegalStateException("not all has arrived: " + receiver.bytes + " " + failures);
      }
    }
    Thread.sleep(2000);
  }

  public static void main(String[] args) throws Exception {
    for (boolean asStream : new boolean[] {false, true}) {
      for (boolean tls : new boolean[] {false, true}) {
        List<Counted> buffers = new ArrayList<>();
        for (int i = 0; i < BUFFERS; i++) {
          buffers.add(new Counted(asStream));
        }
        send(tls, args[0], buffers);
        System.out.println(buffers.stream().filter(b -> b.released.get() == 1).count() + " of " + BUFFERS);
      }
    }
    for (boolean tls : new boolean[] {false, true}) {
      List<ByteBuf> taken = new ArrayList<>();
      List<ManagedBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < BUFFERS; i++) {
        taken.add(PooledByteBufAllocator.DEFAULT.directBuffer(BYTES).writeZero(BYTES));
        buffers.add(new NettyManagedBuffer(taken.get(i)));
      }
      send(tls, args[0], buffers);
      System.out.println(taken.stream().filter(b -> b.refCnt() == 0).count() + " of " + BUFFERS);
    }
  }
}
JAVA
readarray -t released < <(java_file "$TEMP/Look.java" "$TEMP/keys.p12")
expect 'a buffer sent as a ByteBuf, without TLS: released' '5 of 5' "${released[0]:-}"
expect 'with TLS' '0 of 5' "${released[1]:-}"
expect 'a buffer sent as a ChunkedStream under TLS, without TLS' '5 of 5' "${released[2]:-}"
expect 'with TLS' '5 of 5' "${released[3]:-}"
expect "NettyManagedBuffer, Spark's own, without TLS" '5 of 5' "${released[4]:-}"
expect 'with TLS' '0 of 5' "${released[5]:-}"
finish
