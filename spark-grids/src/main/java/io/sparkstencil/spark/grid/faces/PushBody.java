/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.network.buffer.ManagedBuffer;

/**
 * A part of a face as Spark's transport sends it, from where it lies. The transport uses the memory
 * from when it begins to send until it releases it, and that may be later than the answer, or the
 * failure.
 */
final class PushBody extends ManagedBuffer {
  private final FaceBytes face;
  private final int offset;
  private final int length;
  private final AtomicInteger uses = new AtomicInteger();

  PushBody(FaceBytes face, int offset, int length) {
    this.face = face;
    this.offset = offset;
    this.length = length;
  }

  @Override
  public long size() {
    return length;
  }

  @Override
  public Object convertToNetty() throws IOException {
    return use();
  }

  /** A stream, as the transport releases nothing else that it encrypts by TLS. */
  @Override
  public Object convertToNettyForSsl() throws IOException {
    return new ByteBufInputStream(use());
  }

  private ByteBuf use() throws IOException {
    if (!face.retain()) {
      throw new IOException("a face is sent too late: its memory has been given back");
    }
    uses.incrementAndGet();
    return Unpooled.wrappedBuffer(face.view().slice(offset, length));
  }

  @Override
  public ManagedBuffer retain() {
    return this; // whoever sends it has it once
  }

  /** The transport also releases what it could not begin to send. */
  @Override
  public ManagedBuffer release() {
    if (uses.getAndUpdate(now -> Math.max(0, now - 1)) > 0) {
      face.release();
    }
    return this;
  }

  @Override
  public ByteBuffer nioByteBuffer() {
    throw new UnsupportedOperationException("faces are sent from where they are");
  }

  @Override
  public InputStream createInputStream() {
    throw new UnsupportedOperationException("faces are sent from where they are");
  }
}
