/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import io.sparkstencil.spark.grid.faces.PushedFaces.Expected;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The places in which one block gets the faces of others that are pushed to it: for each source as
 * many as it may be states ahead, and a byte more than its faces have is never taken. Network
 * threads fill them, and the thread that uses the block empties them.
 */
final class PushInbox {
  private enum Use {
    FREE,
    ARRIVING,
    THERE,
    READ
  }

  /** After so long without a byte, whoever sends a face is taken for gone. */
  private static final long STALE_NANOS = 5_000_000_000L;

  private static final class Slot {
    private Use use = Use.FREE;
    private int state = -1;
    private ByteBuffer memory; // from the first face on
    private PushArrival arrival;
    private long heard;

    boolean isTaken() {
      boolean stale = use == Use.ARRIVING && System.nanoTime() - heard > STALE_NANOS;
      return use != Use.FREE && !stale;
    }
  }

  private static final class Source {
    private final int bytes;
    private final Slot[] slots;

    Source(Expected expected) {
      bytes = expected.bytes();
      slots = new Slot[expected.slots()];
      for (int i = 0; i < slots.length; i++) {
        slots[i] = new Slot();
      }
    }

    Slot slot(int state) {
      return slots[state % slots.length];
    }
  }

  private final Map<Integer, Source> sources = new HashMap<>();
  private final PushRoom room;
  private final Runnable notice;
  private int passed = -1;
  private boolean closed;

  /**
   * Creates places without faces.
   *
   * @param expected by the blocks that give them
   * @param notice is run when a face is there
   */
  PushInbox(Map<Integer, Expected> expected, PushRoom room, Runnable notice) {
    expected.forEach((source, each) -> sources.put(source, new Source(each)));
    this.room = room;
    this.notice = notice;
  }

  /** Returns what takes a face, or says why it is not taken. */
  synchronized PushArrival begin(PushHeader header) {
    Source source = sources.get(header.source());
    if (closed || source == null) {
      return PushArrival.dropped(PushAnswer.NOT_HERE, header.bytes());
    }
    if (header.bytes() != source.bytes) {
      throw new IllegalArgumentException(
          "a face of %d bytes was sent for a block that expects %d"
              .formatted(header.bytes(), source.bytes));
    }
    Slot slot = source.slot(header.state());
    boolean here = slot.state == header.state() && (slot.use == Use.THERE || slot.use == Use.READ);
    if (header.state() <= passed || here) {
      return PushArrival.dropped(PushAnswer.TAKEN, header.bytes());
    }
    if (slot.isTaken()) {
      return PushArrival.dropped(PushAnswer.BUSY, header.bytes());
    }
    if (slot.memory == null) {
      slot.memory = allocate(source.bytes);
      if (slot.memory == null) {
        return PushArrival.dropped(PushAnswer.NO_ROOM, header.bytes());
      }
    }
    slot.use = Use.ARRIVING;
    slot.state = header.state();
    slot.memory.clear();
    slot.heard = System.nanoTime();
    slot.arrival = new Arrival(slot);
    return slot.arrival;
  }

  /** Returns memory for a face; null if there is no room, or the heap has none. */
  private ByteBuffer allocate(int bytes) {
    if (!room.take(bytes)) {
      return null;
    }
    try {
      return ByteBuffer.allocate(bytes);
    } catch (OutOfMemoryError e) { // the face goes through the block managers, piece by piece
      room.give(bytes);
      return null;
    }
  }

  /** A face that comes piece by piece. */
  private final class Arrival implements PushArrival {
    private final Slot slot;

    Arrival(Slot slot) {
      this.slot = slot;
    }

    @Override
    public void data(ByteBuffer piece) {
      synchronized (PushInbox.this) {
        if (isOver()) {
          piece.position(piece.limit());
        } else {
          slot.memory.put(piece); // one that is longer than it says fails here
          slot.heard = System.nanoTime();
        }
      }
    }

    @Override
    public PushAnswer end() {
      synchronized (PushInbox.this) {
        if (isOver()) {
          return PushAnswer.NOT_HERE;
        }
        slot.arrival = null;
        if (slot.memory.hasRemaining()) {
          slot.use = Use.FREE;
          throw new IllegalArgumentException(
              "a face is %d bytes shorter than its header says".formatted(slot.memory.remaining()));
        }
        slot.memory.flip();
        slot.use = slot.state <= passed ? Use.FREE : Use.THERE;
      }
      notice.run();
      return PushAnswer.TAKEN;
    }

    @Override
    public void fail() {
      synchronized (PushInbox.this) {
        if (!isOver()) {
          slot.use = Use.FREE;
          slot.arrival = null;
        }
      }
    }

    /** Returns whether the block is gone, or another face has the place. */
    private boolean isOver() {
      return closed || slot.arrival != this;
    }
  }

  /**
   * Returns a face, if it is there. It stays as it is until the block has {@link #pass passed} its
   * state.
   */
  synchronized Optional<ByteBuffer> take(int source, int state) {
    Source from = sources.get(source);
    Slot slot = from == null ? null : from.slot(state);
    if (slot == null || slot.state != state || slot.use == Use.ARRIVING || slot.use == Use.FREE) {
      return Optional.empty();
    }
    slot.use = Use.READ;
    return Optional.of(slot.memory.duplicate());
  }

  /** Notes that the block has all faces of a state: places of it and of earlier ones are free. */
  synchronized void pass(int state) {
    passed = Math.max(passed, state);
    for (Source source : sources.values()) {
      for (Slot slot : source.slots) {
        if (slot.use != Use.ARRIVING && slot.state <= passed) {
          slot.use = Use.FREE;
        }
      }
    }
  }

  /** Takes no face any more. */
  synchronized void close() {
    if (!closed) {
      closed = true;
      for (Source source : sources.values()) {
        for (Slot slot : source.slots) {
          room.give(slot.memory == null ? 0 : source.bytes);
        }
      }
      sources.clear();
    }
  }
}
