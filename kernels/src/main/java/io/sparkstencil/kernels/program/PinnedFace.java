/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.grid.FaceBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/** A face in pinned memory, which a device and a network read and write without a detour. */
final class PinnedFace implements FaceBuffer {
  private final ProgramDevice device;
  private final BufferLease<PinnedBuffer> lease;
  private final int bytes;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Takes a lease, which is closed with this. */
  PinnedFace(ProgramDevice device, BufferLease<PinnedBuffer> lease, int bytes) {
    this.device = device;
    this.lease = lease;
    this.bytes = bytes;
  }

  /** Returns whether a device copies from and to it. */
  boolean isOf(ProgramDevice other) {
    return device == other;
  }

  /**
   * Returns the memory.
   *
   * @throws IllegalArgumentException if the face does not have so many bytes
   */
  PinnedBuffer buffer(long faceBytes) {
    if (faceBytes != bytes) {
      throw new IllegalArgumentException(
          "memory for a face of %d bytes is used for one of %d".formatted(bytes, faceBytes));
    }
    return lease.buffer();
  }

  @Override
  public ByteBuffer bytes() {
    return lease.buffer().view(0, bytes);
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      lease.close();
    }
  }
}
