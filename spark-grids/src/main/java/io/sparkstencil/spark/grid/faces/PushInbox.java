/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import io.sparkstencil.grid.FaceBuffer;
import io.sparkstencil.spark.grid.faces.PushSlot.Use;
import io.sparkstencil.spark.grid.faces.PushedFaces.Expected;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The places in which one block gets the faces of others that are pushed to it: for each giver as
 * many as it may be states ahead, and a byte more than its faces have is never taken. Network
 * threads fill them, several a face that comes in parts, and the thread that uses the block empties
 * them. What is copied is copied without the monitor.
 */
final class PushInbox {
  /** Lends memory for faces. */
  @FunctionalInterface
  interface FaceLender {
    /** On the heap. */
    FaceLender NONE = bytes -> Optional.empty();

    /** Returns memory for a face, if there is some. */
    Optional<FaceBuffer> lend(int bytes);
  }

  private static final class Giver {
    private final int bytes;
    private final PushSlot[] slots;

    Giver(Expected expected) {
      bytes = expected.bytes();
      slots = new PushSlot[expected.slots()];
      for (int i = 0; i < slots.length; i++) {
        slots[i] = new PushSlot();
      }
    }

    PushSlot slot(int state) {
      return slots[state % slots.length];
    }
  }

  private final Map<Integer, Giver> givers = new HashMap<>();
  private final PushRoom room;
  private final FaceLender lender;
  private final Runnable notice;
  private int passed = -1;
  private boolean closed;

  /**
   * Creates places without faces.
   *
   * @param expected by the blocks that give them
   * @param lender lends memory that is nearer to the block than the heap, as far as it has some
   * @param notice is run when a face is there
   */
  PushInbox(Map<Integer, Expected> expected, PushRoom room, FaceLender lender, Runnable notice) {
    expected.forEach((giver, each) -> givers.put(giver, new Giver(each)));
    this.room = room;
    this.lender = lender;
    this.notice = notice;
  }

  /** Returns what takes a face, or a part of one, or says why it is not taken. */
  synchronized PushArrival begin(PushHeader header) {
    Giver giver = givers.get(header.giver());
    if (closed || giver == null) {
      return dropped(PushAnswer.NOT_HERE, header);
    }
    if (header.bytes() != giver.bytes) {
      throw new IllegalArgumentException(
          "a face of %d bytes was sent for a block that expects %d"
              .formatted(header.bytes(), giver.bytes));
    }
    PushSlot slot = giver.slot(header.state());
    if (header.state() <= passed || slot.has(header.state())) {
      return dropped(PushAnswer.TAKEN, header);
    }
    if (!slot.isArriving(header.state())) {
      if (!slot.isFree(passed)) {
        return dropped(PushAnswer.BUSY, header);
      }
      if (slot.memory == null) {
        slot.memory = allocate(giver.bytes);
        if (slot.memory == null) {
          return dropped(PushAnswer.NO_ROOM, header);
        }
      }
      slot.begin(header.state(), giver.bytes);
    }
    return slot.beginPart(header.offset())
        ? new Arrival(slot, header)
        : dropped(PushAnswer.BUSY, header);
  }

  private static PushArrival dropped(PushAnswer answer, PushHeader header) {
    return PushArrival.dropped(answer, header.partBytes());
  }

  /** Returns memory for a face; null if there is no room, or the heap has none. */
  private FaceBuffer allocate(int bytes) {
    Optional<FaceBuffer> lent = lender.lend(bytes);
    if (lent.isPresent()) {
      return lent.get();
    }
    if (!room.take(bytes)) {
      return null;
    }
    try {
      return new HeapFace(ByteBuffer.allocate(bytes), () -> room.give(bytes));
    } catch (OutOfMemoryError e) { // the face goes through the block managers, piece by piece
      room.give(bytes);
      return null;
    }
  }

  /** A part of a face that comes piece by piece. */
  private final class Arrival implements PushArrival {
    private final PushSlot slot;
    private final Object attempt;
    private final ByteBuffer part;

    Arrival(PushSlot slot, PushHeader header) {
      this.slot = slot;
      attempt = slot.attempt();
      part = slot.memory.bytes().slice(header.offset(), header.partBytes());
    }

    @Override
    public void data(ByteBuffer piece) {
      synchronized (PushInbox.this) {
        if (isOver()) {
          piece.position(piece.limit());
          return;
        }
        slot.beginWriting();
      }
      try {
        part.put(piece); // one that is longer than it says fails here
      } finally {
        synchronized (PushInbox.this) {
          slot.endWriting();
          PushInbox.this.notifyAll();
        }
      }
    }

    @Override
    public PushAnswer end() {
      synchronized (PushInbox.this) {
        if (isOver()) {
          return PushAnswer.NOT_HERE;
        }
        if (part.hasRemaining()) {
          slot.free();
          throw new IllegalArgumentException(
              "a face is %d bytes shorter than its header says".formatted(part.remaining()));
        }
        if (!slot.endPart(part.capacity(), passed)) {
          return PushAnswer.TAKEN;
        }
      }
      notice.run();
      return PushAnswer.TAKEN;
    }

    @Override
    public void fail() {
      synchronized (PushInbox.this) {
        if (!isOver()) {
          slot.free();
        }
      }
    }

    /** Returns whether the block is gone, or another face has the place. */
    private boolean isOver() {
      return closed || slot.attempt() != attempt;
    }
  }

  /**
   * Returns a face, if it is there. It stays as it is until the block has {@link #pass passed} its
   * state.
   */
  synchronized Optional<FaceBuffer> take(int giver, int state) {
    Giver from = givers.get(giver);
    PushSlot slot = from == null ? null : from.slot(state);
    if (slot == null || !slot.has(state)) {
      return Optional.empty();
    }
    slot.read();
    return Optional.of(slot.memory);
  }

  /** Notes that the block has all faces of a state: places of it and of earlier ones are free. */
  synchronized void pass(int state) {
    passed = Math.max(passed, state);
    slots().filter(slot -> slot.use() != Use.ARRIVING).forEach(slot -> slot.pass(passed));
  }

  private Stream<PushSlot> slots() {
    return givers.values().stream().flatMap(giver -> Stream.of(giver.slots));
  }

  /** Takes no face any more; waits until nobody writes one. */
  synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    boolean interrupted = false;
    while (slots().anyMatch(PushSlot::isBeingWritten)) {
      try {
        wait();
      } catch (InterruptedException e) { // a piece is copied in less than a millisecond
        interrupted = true;
      }
    }
    slots().filter(slot -> slot.memory != null).forEach(slot -> slot.memory.close());
    givers.clear();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
