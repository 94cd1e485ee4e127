/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.shared;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.BufferPool;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** A face in the device memory of another process, which may end, or go on, at any moment. */
public final class SharedInbox implements AutoCloseable {
  private final BufferPool<PinnedBuffer> pinned;
  private final Memory memory;
  private final byte[] bytes;
  private final FaceTicket ticket;
  private final PeerMemory.Mapping mapping;

  /** Lends device memory that is used in a stream. */
  @FunctionalInterface
  public interface Memory {
    /** Lends some bytes. */
    BufferLease<DeviceBuffer> lease(long bytes, CudaStream stream);
  }

  /**
   * Takes a mapping of the memory that a ticket is for, and gives it back when it is closed.
   *
   * @param pinned memory of the host to look at stamps in
   * @param memory that of this device
   * @param bytes the ticket as it came
   */
  public SharedInbox(
      BufferPool<PinnedBuffer> pinned,
      Memory memory,
      byte[] bytes,
      FaceTicket ticket,
      PeerMemory.Mapping mapping) {
    this.pinned = pinned;
    this.memory = memory;
    this.bytes = bytes;
    this.ticket = ticket;
    this.mapping = mapping;
  }

  /** Returns whether this is for a ticket. */
  public boolean isOf(byte[] other) {
    return Arrays.equals(bytes, other);
  }

  /**
   * Copies the face of a state, if it is there before and after.
   *
   * @param faceBytes the bytes that it must have
   * @param stream in which the cells are used
   * @param scatter submits copies of the face from an address
   */
  public boolean take(int state, long faceBytes, CudaStream stream, LongConsumer scatter) {
    int slot = ticket.slotOf(state);
    if (ticket.faceBytes() != faceBytes) {
      return false;
    }
    try (BufferLease<PinnedBuffer> stamp = pinned.lease(FaceTicket.STAMP_BYTES);
        BufferLease<DeviceBuffer> near = memory.lease(FaceTicket.STAMP_BYTES, stream)) {
      if (!hasStamp(stamp.buffer(), near.buffer(), slot, state, stream)) {
        return false;
      }
      try {
        scatter.accept(mapping.address() + ticket.slotAt(slot));
      } finally {
        stream.synchronize();
      }
      return hasStamp(stamp.buffer(), near.buffer(), slot, state, stream);
    }
  }

  /** Copies between devices like the cells, so that it sees what they see. */
  private boolean hasStamp(
      PinnedBuffer found, DeviceBuffer near, int slot, int state, CudaStream stream) {
    long far = mapping.address() + FaceTicket.stampAt(slot);
    stream.copy(far, FaceTicket.STAMP_BYTES, near.address());
    stream.copyOut(near.address(), FaceTicket.STAMP_BYTES, found);
    stream.synchronize();
    return found.view(0, FaceTicket.STAMP_BYTES).equals(ticket.stamp(state));
  }

  @Override
  public void close() {
    mapping.close();
  }
}
