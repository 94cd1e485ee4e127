/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.kernels.program.shared.FaceTicket;
import io.sparkstencil.kernels.program.shared.SharedMemory;
import io.sparkstencil.model.ElementType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A face in device memory that other processes map. Its stamp is wiped before its cells change, and
 * written when they are there: who finds the same stamp before and after reading has read them.
 */
final class SharedOutbox implements SharedFace, AutoCloseable {
  private final ProgramDevice device;
  private final ElementType type;
  private final CudaStream stream;
  private final SharedMemory.Lent lent;
  private final LongConsumer gather;
  private final FaceTicket ticket;
  private final int[] states = new int[SLOTS];
  private boolean closed; // guarded by this

  /**
   * Takes memory.
   *
   * @param stream in which the cells of the block change
   * @param lent memory, which is given back with this
   * @param ticket of that memory
   * @param gather submits copies of the face to an address
   */
  SharedOutbox(
      ProgramDevice device,
      ElementType type,
      CudaStream stream,
      SharedMemory.Lent lent,
      FaceTicket ticket,
      LongConsumer gather) {
    this.device = device;
    this.type = type;
    this.stream = stream;
    this.lent = lent;
    this.gather = gather;
    this.ticket = ticket;
    Arrays.fill(states, -1);
    stream.fill(address(), FaceTicket.stampAt(SLOTS), (byte) 0);
  }

  private long address() {
    return lent.lease().buffer().address();
  }

  private long slotAddress(int slot) {
    return address() + ticket.slotAt(slot, SLOTS);
  }

  private long stampAddress(int slot) {
    return address() + FaceTicket.stampAt(slot);
  }

  @Override
  public byte[] ticket() {
    return ticket.toBytes();
  }

  @Override
  public void put(int state) {
    int slot = Math.floorMod(state, SLOTS);
    try (BufferLease<PinnedBuffer> stamp = device.pinned().lease(FaceTicket.STAMP_BYTES)) {
      stamp.buffer().view(0, FaceTicket.STAMP_BYTES).put(ticket.stamp(state));
      try {
        stream.fill(stampAddress(slot), FaceTicket.STAMP_BYTES, (byte) 0);
        gather.accept(slotAddress(slot));
        stream.copyIn(stamp.buffer(), FaceTicket.STAMP_BYTES, stampAddress(slot));
      } finally {
        stream.synchronize();
      }
    }
    synchronized (this) {
      states[slot] = state;
    }
  }

  @Override
  public synchronized ByteBuffer get(int state) {
    int slot = Math.floorMod(state, SLOTS);
    if (closed || states[slot] != state) {
      throw new IllegalStateException(
          closed
              ? "a face is read after its block was closed"
              : "state %d of a face is read, but %d is there".formatted(state, states[slot]));
    }
    long bytes = ticket.faceBytes();
    ByteBuffer packed = CellBoxes.buffer(Math.toIntExact(bytes));
    ProgramLane lane = device.takeLane();
    try (HostCopies copies = new HostCopies(device, lane.main(), type, bytes)) {
      int cells = Math.toIntExact(bytes / type.bytes());
      copies.copyOut(slotAddress(slot), bytes, 1, cells, packed, 0);
      copies.finish();
    } finally {
      device.giveBack(lane);
    }
    return packed;
  }

  /** Gives the memory back, without a stamp that anyone could believe. */
  @Override
  public synchronized void close() {
    closed = true;
    try {
      stream.fill(address(), FaceTicket.stampAt(SLOTS), (byte) 0);
      stream.synchronize();
    } catch (StencilException e) {
      System.getLogger(SharedOutbox.class.getName())
          .log(System.Logger.Level.DEBUG, "a face on a lost device: {0}", e.getMessage());
    } finally {
      lent.lease().close();
    }
  }
}
