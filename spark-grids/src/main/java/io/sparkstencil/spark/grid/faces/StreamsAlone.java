/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import java.nio.ByteBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;

/** What a server of Spark's transport does that takes streams, and nothing else. */
public abstract class StreamsAlone extends RpcHandler {
  private final String taken;

  /**
   * A server's handler.
   *
   * @param taken what streams have, in words
   */
  protected StreamsAlone(String taken) {
    this.taken = taken;
  }

  @Override
  public final void receive(
      TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
    callback.onFailure(new UnsupportedOperationException("this server takes " + taken));
  }

  @Override
  public final StreamManager getStreamManager() {
    return new NoChunks();
  }

  private static final class NoChunks extends StreamManager {
    @Override
    public ManagedBuffer getChunk(long stream, int chunk) {
      throw new UnsupportedOperationException("nothing can be fetched from a server of streams");
    }
  }
}
