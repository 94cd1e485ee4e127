/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.error.AwaitedFailure;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.faces.FaceLog;
import io.sparkstencil.spark.grid.faces.FaceLog.Put;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/**
 * The faces of a block that are shared with other processes of the host: where these find them, and
 * how they are logged. The log of a face is where the face is: on the device, as long as there is
 * room. What finds none is copied to the block manager meanwhile; if that is too slow for the
 * steps, it is given up, as steps do not wait for it. Used by one thread at a time.
 */
final class GivenFaces implements HeldBlock.OfCells {
  /** Who steps reads no more for the log than so many bytes: large faces take longer than steps. */
  private static final long MOST_READ_BYTES = 256 << 10;

  /** So many bytes may wait for the log before it is given up. */
  private static final long MOST_LATE_BYTES = 64 << 20;

  private final Map<Integer, Taker> takers = new HashMap<>();
  private final List<Copy> late = new ArrayList<>(); // read, but not in the log yet

  /** How the face of a state is logged. */
  enum Logging {
    /** Its reader may need the log, which has it before another state takes its place. */
    FOR_READERS,
    /** Only if the reader is lost. */
    FOR_RECOVERY,
    /** Not at all: it could not help. */
    NONE
  }

  private static final class Taker {
    private final SharedFace face;
    private final Put ticket;
    private final List<Copy> copies = new ArrayList<>(); // by slot; null for none

    Taker(SharedFace face, Put ticket) {
      this.face = face;
      this.ticket = ticket;
      for (int slot = 0; slot < face.slots(); slot++) {
        copies.add(null);
      }
    }
  }

  /** A face on its way to the block manager. */
  private static final class Copy {
    private final boolean awaited;
    private final boolean small;
    private final FutureTask<Optional<ByteBuffer>> reading;
    private final FutureTask<List<Put>> work;
    private volatile boolean needless;
    private volatile long bytes; // once they are read

    Copy(SharedFace face, int state, Logging logging, long faceBytes, LogWriter log) {
      awaited = logging == Logging.FOR_READERS;
      small = faceBytes <= MOST_READ_BYTES;
      reading = new FutureTask<>(() -> needless ? Optional.empty() : face.get(state));
      work =
          new FutureTask<>(
              (Callable<List<Put>>)
                  () -> {
                    Optional<ByteBuffer> found = read();
                    // nothing if another state has taken its place
                    return found.isEmpty() || needless ? List.of() : log.put(found.get());
                  });
    }

    /** Reads the bytes, unless somebody does or has done so; they are read when this returns. */
    Optional<ByteBuffer> read() throws InterruptedException, ExecutionException {
      reading.run();
      Optional<ByteBuffer> found = reading.get();
      bytes = found.map(ByteBuffer::remaining).orElse(0);
      return found;
    }

    /** Waits for its end; returns whether the thread was interrupted meanwhile. */
    boolean await() {
      boolean interrupted = false;
      while (!work.isDone()) {
        try {
          Thread.sleep(1); // such copies end by themselves
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return interrupted;
    }
  }

  /**
   * Shares a face.
   *
   * @param faceBytes of each state
   * @param ticket where its ticket is put, the first time
   * @param logging how it is logged
   * @param log puts the bytes of the face into the block manager
   * @param threads do so
   */
  synchronized void share(
      int taker,
      SharedFace face,
      long faceBytes,
      int state,
      Put ticket,
      Logging logging,
      LogWriter log,
      Executor threads,
      BlockTally tally)
      throws InterruptedException {
    Taker known = takers.get(taker);
    if (known == null || known.face != face) {
      known = new Taker(face, ticket);
      takers.put(taker, known);
      FaceLog.putTicket(ticket, ByteBuffer.wrap(face.ticket()), known);
    }
    int slot = Math.floorMod(state, face.slots());
    settle(known, slot, tally); // its memory is used again
    boolean kept = face.put(state, logging == Logging.FOR_RECOVERY);
    if (logging == Logging.FOR_READERS || (logging == Logging.FOR_RECOVERY && !kept)) {
      Copy copy = new Copy(face, state, logging, faceBytes, log);
      threads.execute(copy.work);
      known.copies.set(slot, copy);
    }
  }

  /** Puts the bytes of a face into the log. */
  @FunctionalInterface
  interface LogWriter {
    /** Returns what was put. */
    List<Put> put(ByteBuffer face);
  }

  /** Gives up what is kept of states before one. */
  synchronized void giveUpBefore(int state) {
    takers.values().forEach(each -> each.face.giveUpBefore(state));
  }

  /** Returns the bytes of devices in which faces are kept. */
  synchronized long keptBytes() {
    return takers.values().stream().mapToLong(each -> each.face.keptBytes()).sum();
  }

  /** Waits until all faces are in the log that readers may need there. */
  synchronized void settle(BlockTally tally) throws InterruptedException {
    for (Taker each : takers.values()) {
      for (int slot = 0; slot < each.face.slots(); slot++) {
        Copy copy = each.copies.get(slot);
        if (copy != null && copy.awaited) {
          settle(each, slot, tally);
        }
      }
    }
  }

  private void settle(Taker taker, int slot, BlockTally tally) throws InterruptedException {
    Copy copy = taker.copies.get(slot);
    if (copy == null) {
      return;
    }
    taker.copies.set(slot, null);
    if (copy.awaited || copy.work.isDone()) {
      end(copy, tally);
    } else if (!waitsLonger(copy)) {
      copy.needless = true; // steps do not wait for it
      tally.giveUp();
    }
    for (Copy done : late.stream().filter(each -> each.work.isDone()).toList()) {
      late.remove(done);
      end(done, tally);
    }
  }

  /**
   * Lets a face wait for the log after its slot is used again, as small blocks take a superstep in
   * less time than a thread may wait for a core. What is read has memory of its own. A large one is
   * given up.
   */
  private boolean waitsLonger(Copy copy) throws InterruptedException {
    if (!copy.small || late.stream().mapToLong(each -> each.bytes).sum() >= MOST_LATE_BYTES) {
      return false;
    }
    try {
      if (copy.read().isEmpty()) {
        return false;
      }
    } catch (ExecutionException e) {
      return false; // whoever uses the device next finds out
    }
    late.add(copy);
    return true;
  }

  private static void end(Copy copy, BlockTally tally) throws InterruptedException {
    long start = System.nanoTime();
    try {
      copy.work.get().forEach(tally::put);
      if (copy.bytes == 0) {
        tally.giveUp();
      }
      tally.logged(FaceLog.heapBytes(copy.bytes), System.nanoTime() - start);
    } catch (ExecutionException e) {
      if (copy.awaited) {
        throw AwaitedFailure.of(e);
      }
      tally.giveUp();
    }
  }

  /** Returns the blocks that find a face of this one. */
  synchronized List<Integer> takers() {
    return List.copyOf(takers.keySet());
  }

  /** Returns the face that a block finds; nothing if none is shared with it. */
  synchronized Optional<SharedFace> face(int taker) {
    return Optional.ofNullable(takers.get(taker)).map(each -> each.face);
  }

  /** Shares nothing any more: a ticket would be taken for that of the same block elsewhere. */
  @Override
  public synchronized void cellsAreGone() {
    List<Taker> all = List.copyOf(takers.values());
    takers.clear();
    for (Taker each : all) {
      each.copies.stream().filter(Objects::nonNull).forEach(copy -> copy.needless = true);
    }
    late.forEach(copy -> copy.needless = true);
    all.forEach(each -> FaceLog.removeTicket(each.ticket, each));
    late.clear();
  }

  /** Ends all that is on its way, whatever becomes of it, and shares nothing any more. */
  synchronized void forget(BlockTally tally) {
    boolean interrupted = false;
    List<Copy> all =
        Stream.concat(late.stream(), takers.values().stream().flatMap(each -> each.copies.stream()))
            .filter(Objects::nonNull)
            .toList();
    all.forEach(copy -> copy.needless = true);
    for (Copy copy : all) {
      interrupted |= copy.await();
      try {
        copy.work.get().forEach(tally::put);
      } catch (ExecutionException | InterruptedException e) {
        interrupted |= e instanceof InterruptedException;
        System.getLogger(GivenFaces.class.getName())
            .log(System.Logger.Level.DEBUG, "a face is not in the log: {0}", e.getMessage());
      }
    }
    cellsAreGone();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
