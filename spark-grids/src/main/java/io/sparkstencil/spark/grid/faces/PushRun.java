/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** What this process takes and gives of one run by pushes, as long as it has blocks of it. */
final class PushRun {
  private static final System.Logger LOG = System.getLogger(PushRun.class.getName());
  private static final long FIRST_LOOK_NANOS = 10_000_000L;
  private static final long LAST_LOOK_NANOS = 1_000_000_000L;

  /** A block that has no memory for the face of another gets none of that one for a while. */
  private static final long FULL_NANOS = 1_000_000_000L;

  private final FacePusher pusher;
  private final int run;
  private final PushTicket ticket;
  private final Map<Integer, PushInbox> inboxes = new ConcurrentHashMap<>();
  private final Map<String, Way> ways = new HashMap<>();
  private volatile long heard = System.nanoTime() - FacePusher.QUIET_NANOS;
  private int users; // guarded by the pusher

  /** A block that gives faces, and one that takes them. */
  private record Pair(int giver, int taker) {}

  /** What is known of another executor. */
  private static final class Way {
    private PushTicket ticket; // null before it is found
    private boolean looking;
    private long from = System.nanoTime();
    private long lookNanos = FIRST_LOOK_NANOS;
    private final Map<Pair, Long> full = new HashMap<>(); // until when

    boolean isFull(Pair pair) {
      Long until = full.get(pair);
      if (until != null && System.nanoTime() - until >= 0) {
        full.remove(pair);
      }
      return full.containsKey(pair);
    }

    /** Leaves it alone, each time longer, until it takes a face. */
    void lookLater() {
      from = System.nanoTime() + lookNanos;
      lookNanos = Math.min(LAST_LOOK_NANOS, 2 * lookNanos);
    }
  }

  PushRun(FacePusher pusher, int run, PushTicket ticket) {
    this.pusher = pusher;
    this.run = run;
    this.ticket = ticket;
  }

  int run() {
    return run;
  }

  PushTicket ticket() {
    return ticket;
  }

  /** Counts blocks that use this; returns how many there are. */
  int use(int more) {
    users += more;
    return users;
  }

  void add(int block, PushInbox inbox) {
    inboxes.put(block, inbox);
  }

  /** Removes a block, unless another one that came after it has its number. */
  void remove(int block, PushInbox inbox) {
    inboxes.remove(block, inbox);
  }

  /** Returns what takes a face. */
  PushArrival begin(PushHeader header) {
    PushInbox inbox = inboxes.get(header.taker());
    if (inbox == null) {
      return PushArrival.dropped(PushAnswer.NOT_HERE, header.bytes());
    }
    PushArrival arrival = inbox.begin(header);
    return new PushArrival() {
      @Override
      public void data(ByteBuffer piece) {
        heard = System.nanoTime();
        arrival.data(piece);
      }

      @Override
      public PushAnswer end() {
        return arrival.end();
      }

      @Override
      public void fail() {
        arrival.fail();
      }
    };
  }

  /** Returns whether faces for blocks of this process are on their way right now. */
  boolean isHeard() {
    return System.nanoTime() - heard < FacePusher.QUIET_NANOS;
  }

  /**
   * Pushes a face to the executor of a block.
   *
   * @param executor as a preferred location
   * @param finder looks for the ticket of that executor; is called by another thread
   * @return whether it has been taken; false also if the executor is not known yet
   */
  CompletableFuture<Boolean> push(
      String executor,
      Supplier<Optional<byte[]>> finder,
      int giver,
      int taker,
      int state,
      FaceBytes face) {
    Optional<PushTicket> there = ticket(executor, new Pair(giver, taker), finder);
    if (there.isEmpty()) {
      return CompletableFuture.completedFuture(false);
    }
    PushHeader header = new PushHeader(there.get().secret(), giver, taker, state, face.length());
    return pusher
        .peer(there.get())
        .send(header, face)
        .handle(
            (answer, failure) -> {
              learn(executor, new Pair(giver, taker), there.get(), answer);
              return answer == PushAnswer.TAKEN;
            });
  }

  private synchronized void learn(String executor, Pair pair, PushTicket used, PushAnswer answer) {
    Way way = ways.computeIfAbsent(executor, same -> new Way());
    if (answer == PushAnswer.TAKEN) {
      way.lookNanos = FIRST_LOOK_NANOS;
    } else if (answer == PushAnswer.NO_ROOM) {
      way.full.put(pair, System.nanoTime() + FULL_NANOS);
    } else if (answer == PushAnswer.UNKNOWN_RUN && used.equals(way.ticket)) {
      way.ticket = null;
      way.lookLater(); // the same one may be found again for a while
    }
  }

  private synchronized Optional<PushTicket> ticket(
      String executor, Pair pair, Supplier<Optional<byte[]>> finder) {
    Way way = ways.computeIfAbsent(executor, same -> new Way());
    if (System.nanoTime() - way.from < 0 || way.isFull(pair)) {
      return Optional.empty();
    }
    if (way.ticket == null && !way.looking) {
      way.looking = true;
      pusher.inBackground(() -> look(way, executor, finder));
    }
    return Optional.ofNullable(way.ticket);
  }

  private void look(Way way, String executor, Supplier<Optional<byte[]>> finder) {
    Optional<PushTicket> found = Optional.empty();
    try {
      found = finder.get().flatMap(bytes -> PushTicket.of(bytes, executor));
    } catch (Exception e) { // Scala declares none; faces go through the block managers meanwhile
      LOG.log(System.Logger.Level.DEBUG, "no ticket of {0} was found: {1}", executor, e);
    } finally {
      synchronized (this) {
        way.looking = false;
        way.ticket = found.orElse(null);
        if (found.isEmpty()) {
          way.lookLater();
        }
      }
    }
  }
}
