/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.shared;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PinnedBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * Memory of a device with slots for the faces of some states, and a stamp for each. One thread
 * changes it; others may ask what is in it.
 */
public final class FaceMemory implements AutoCloseable {
  private static final int NONE = -1;

  private final PeerMemory.Lent lent;
  private final long start;
  private final FaceTicket ticket;
  private final AtomicIntegerArray reserved;
  private final AtomicIntegerArray states;

  /**
   * Takes memory, which is given back with this.
   *
   * @param ticket of the memory
   */
  public FaceMemory(PeerMemory.Lent lent, FaceTicket ticket) {
    this.lent = lent;
    start = lent.lease().buffer().address();
    this.ticket = ticket;
    int[] none = IntStream.range(0, ticket.slots()).map(slot -> NONE).toArray();
    reserved = new AtomicIntegerArray(none);
    states = new AtomicIntegerArray(none);
  }

  /** Returns what other processes find the memory by. */
  public FaceTicket ticket() {
    return ticket;
  }

  /** Returns the bytes of the memory. */
  public long bytes() {
    return ticket.bytes();
  }

  /** Returns where the face of a state has its place. */
  public long address(int state) {
    return start + ticket.slotAt(ticket.slotOf(state));
  }

  private long stampAddress(int state) {
    return start + FaceTicket.stampAt(ticket.slotOf(state));
  }

  /** Submits that all stamps are wiped. */
  public void wipe(CudaStream stream) {
    for (int slot = 0; slot < ticket.slots(); slot++) {
      states.set(slot, NONE);
    }
    stream.fill(start, FaceTicket.stampAt(ticket.slots()), (byte) 0);
  }

  /** Gives a state its slot, before it comes. */
  public void reserve(int state) {
    reserved.set(ticket.slotOf(state), state);
  }

  /** Returns whether a state has a slot. */
  public boolean isReserved(int state) {
    return reserved.get(ticket.slotOf(state)) == state;
  }

  /** Submits that the stamp of the slot of a state is wiped, as the cells change. */
  public void begin(int state, CudaStream stream) {
    states.set(ticket.slotOf(state), NONE);
    stream.fill(stampAddress(state), FaceTicket.STAMP_BYTES, (byte) 0);
  }

  /**
   * Submits that the stamp of a state is written, after its cells.
   *
   * @param buffer has the stamp until the stream has come so far
   */
  public void stamp(int state, CudaStream stream, PinnedBuffer buffer) {
    buffer.view(0, FaceTicket.STAMP_BYTES).put(ticket.stamp(state));
    stream.copyIn(buffer, FaceTicket.STAMP_BYTES, stampAddress(state));
  }

  /** Notes that a state is there. */
  public void complete(int state) {
    states.set(ticket.slotOf(state), state);
  }

  /** Returns the state in a slot, -1 for none. */
  public int stateIn(int slot) {
    return states.get(slot);
  }

  /** Returns whether a state is there. */
  public boolean has(int state) {
    return states.get(ticket.slotOf(state)) == state;
  }

  /** Returns the states that are there. */
  public List<Integer> states() {
    return IntStream.range(0, ticket.slots())
        .map(states::get)
        .filter(state -> state != NONE)
        .boxed()
        .toList();
  }

  @Override
  public void close() {
    lent.lease().close();
  }
}
