/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import io.sparkstencil.grid.FaceBuffer;
import io.sparkstencil.grid.FaceKeeper;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The faces of a block that are pushed to other executors, and those that are pushed to it. Those
 * that it gives are in the log as well: kept where the fields are, or in the block manager, of
 * which the driver is told only when somebody needs them there, because a push has failed or a
 * block was lost. A push is a hint, the log is the truth.
 *
 * <p>What gives and takes belongs to the thread that uses the block.
 */
public final class PushedFaces implements HeldBlock.OfCells {
  /** Hears what becomes of faces in the log. */
  public interface Notes {
    /** Bytes were put in the block manager. */
    void put(FaceLog.Put put);

    /** Bytes were put in the log, and waited for. */
    void logged(long bytes, long nanos);

    /** A face that was to be logged was given up. */
    void giveUp();
  }

  /**
   * What a block expects of another.
   *
   * @param bytes of a face
   * @param slots the states that may be here at once
   */
  public record Expected(int bytes, int slots) {}

  private static final System.Logger LOG = System.getLogger(PushedFaces.class.getName());

  /** So many bytes may wait for the log before it is given up, and two states in any case. */
  private static final long MOST_LATE_BYTES = 64 << 20;

  private final List<PushedFace> late = new ArrayList<>(); // that are not logged yet

  private final Map<Integer, Deque<PushedFace>> given = new HashMap<>(); // by takers; latest states
  private final Map<Integer, FaceKeeper> keepers = new HashMap<>(); // by takers
  private final Set<Integer> heardOf = new HashSet<>();
  private final AtomicReference<Answered> answered = new AtomicReference<>(Answered.NONE);
  private PushRun run; // null while it is not open
  private FacePusher pusher;
  private PushInbox inbox;
  private FaceLog.Put ticket;
  private int block;

  /**
   * A face that is given.
   *
   * @param id the number under which it is logged
   * @param first the index of its first piece
   * @param isLogged whether it is logged though it is taken
   */
  public record Given(int taker, int state, int id, int first, boolean isLogged) {}

  /**
   * Faces that have been pushed and taken.
   *
   * @param nanos the time from the one to the other
   */
  public record Answered(long nanos, long faces) {
    private static final Answered NONE = new Answered(0, 0);

    private Answered plus(long more) {
      return new Answered(nanos + more, faces + 1);
    }
  }

  /**
   * Opens the block for pushes, unless that was done since its cells came.
   *
   * @param runNumber of its run
   * @param expected what it expects, by the blocks that give it
   * @param place where its ticket is put
   * @return whether it is open
   */
  public synchronized boolean open(
      FacePusher from,
      int runNumber,
      HeldBlock held,
      Supplier<Map<Integer, Expected>> expected,
      FaceLog.Put place) {
    if (run != null) {
      return true;
    }
    Optional<PushRun> entered = from.enter(runNumber);
    if (entered.isEmpty()) {
      return false;
    }
    pusher = from;
    run = entered.get();
    block = held.block();
    ticket = place;
    inbox =
        new PushInbox(
            expected.get(), from.room(), held.fields()::lendFace, () -> from.notice(held::hurry));
    run.add(block, inbox);
    FaceLog.putTicket(place, ByteBuffer.wrap(run.ticket().toBytes()), inbox);
    return true;
  }

  /** Returns whether the block is open for pushes. */
  public synchronized boolean isOpen() {
    return run != null;
  }

  /**
   * Pushes a face, and keeps it or logs it meanwhile; waits for nothing but the log of earlier
   * states, where a push has failed.
   *
   * @param executor that of the taker, as a preferred location
   * @param finder looks for the ticket of the taker
   * @param memory has the face, and is closed when nobody needs it any more
   * @param states how many are kept here until they are told of
   * @param keeper keeps faces where the fields are, as far as it has room; what is more than the
   *     block manager can take beside the steps is given up then
   * @param registry has the threads that put faces into the log
   */
  public synchronized void give(
      Given face,
      String executor,
      Supplier<Optional<byte[]>> finder,
      FaceBuffer memory,
      int states,
      Optional<FaceKeeper> keeper,
      BlockRegistry registry,
      Notes notes) {
    Deque<PushedFace> latest = given.computeIfAbsent(face.taker(), same -> new ArrayDeque<>());
    while (latest.size() >= states) {
      replaced(latest.poll(), notes);
    }
    FaceBytes bytes = new FaceBytes(pusher.watched(memory));
    PushedFace made = new PushedFace(face, bytes);
    latest.add(made);
    long start = System.nanoTime();
    try {
      made.pushed =
          run.push(executor, finder, block, face.taker(), face.state(), bytes)
              .whenComplete((taken, failure) -> answered(taken, System.nanoTime() - start));
    } catch (Exception e) { // Netty throws what it does not declare; the log has the face
      LOG.log(System.Logger.Level.DEBUG, "a face was not pushed: {0}", e);
    }
    made.told =
        made.pushed.thenCompose(
            taken ->
                taken
                    ? CompletableFuture.<Void>completedFuture(null)
                    : CompletableFuture.runAsync(() -> made.put(true), registry.loggers()));
    keeper.ifPresent(each -> keepers.put(face.taker(), each));
    if (face.isLogged() && !keeper.map(each -> each.keep(face.state())).orElse(false)) {
      made.isPut = true;
      (keeper.isPresent() ? registry.savers() : registry.loggers()).execute(made.log);
    }
  }

  private void answered(boolean taken, long nanos) {
    answered.updateAndGet(before -> taken ? before.plus(nanos) : before);
  }

  /** Returns what has been taken since this was asked last. */
  public Answered takeAnswered() {
    return answered.getAndSet(Answered.NONE);
  }

  /** Ends with a face as another one takes its place; steps do not wait for the log. */
  private void replaced(PushedFace face, Notes notes) {
    late.removeIf(each -> each.log.isDone() && end(each, notes));
    boolean failed = face.pushed.isDone() && !face.pushed.join();
    if (!face.isPut || face.log.isDone() || failed) {
      end(face, notes);
      return;
    }
    late.add(face);
    long bytes = late.stream().mapToLong(each -> each.bytes.length()).sum();
    if (bytes > Math.max(MOST_LATE_BYTES, 2 * stateBytes())) {
      late.forEach(PushedFaces::dropNeedless);
      late.clear();
      notes.giveUp();
    }
  }

  /** Returns the bytes of the faces for all takers in one state. */
  private long stateBytes() {
    return given.values().stream()
        .flatMap(faces -> Stream.ofNullable(faces.peekLast()))
        .mapToLong(face -> face.bytes.length())
        .sum();
  }

  private static void dropNeedless(PushedFace face) {
    face.needless = true;
    face.drop();
  }

  /** Waits until the log has a face that is to be there, and ends with it; returns true. */
  private static boolean end(PushedFace face, Notes notes) {
    settle(face, notes);
    face.drop();
    return true;
  }

  /** Waits until the log has a face that is to be there. */
  private static void settle(PushedFace face, Notes notes) {
    long start = System.nanoTime();
    try {
      if (face.pushed.isDone() && !face.pushed.join()) {
        face.told.join();
      } else if (face.isPut) {
        face.log.get();
      }
    } catch (ExecutionException | CompletionException e) {
      LOG.log(System.Logger.Level.WARNING, "a face is not in the log: {0}", e.getMessage());
      notes.giveUp();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      notes.giveUp();
    }
    List<FaceLog.Put> puts = face.takePuts();
    puts.forEach(notes::put);
    long bytes = puts.isEmpty() ? 0 : FaceLog.heapBytes(face.bytes.length());
    notes.logged(bytes, System.nanoTime() - start);
  }

  /** Waits until the log has all faces that are to be there, but for those on their way. */
  public synchronized void settle(Notes notes) {
    late.forEach(face -> end(face, notes));
    late.clear();
    for (Deque<PushedFace> each : given.values()) {
      each.forEach(face -> settle(face, notes));
    }
  }

  /**
   * Tells the driver of the latest faces for a block, wherever they are logged.
   *
   * @param from the first state
   * @return how many there are
   */
  public synchronized int tell(int taker, int from) {
    int told = 0;
    for (PushedFace face : given.getOrDefault(taker, new ArrayDeque<>())) {
      if (face.given.state() >= from) {
        face.put(true);
        told += face.isHere() ? 1 : 0;
      }
    }
    return told;
  }

  /**
   * Puts a face for a block into the block manager, and tells the driver of it, if it is kept where
   * the fields are.
   *
   * @param id the number under which it is logged
   * @param first the index of its first piece
   * @return what was put
   */
  public synchronized List<FaceLog.Put> putKept(int taker, int state, int id, int first) {
    return Optional.ofNullable(keepers.get(taker))
        .flatMap(keeper -> keeper.get(state))
        .map(bytes -> FaceLog.put(id, first, bytes, false, true))
        .orElse(List.of());
  }

  /** Returns the bytes of memory that faces are kept in where the fields are. */
  public synchronized long keptBytes() {
    return keepers.values().stream().mapToLong(FaceKeeper::keptBytes).sum();
  }

  /** Gives up what is kept of states before one. */
  public synchronized void giveUpBefore(int state) {
    keepers.values().forEach(keeper -> keeper.giveUpBefore(state));
  }

  /** Returns a face that was pushed to the block, if it is there. */
  public synchronized Optional<FaceBuffer> take(int giver, int state) {
    Optional<FaceBuffer> face = inbox == null ? Optional.empty() : inbox.take(giver, state);
    if (face.isPresent()) {
      heardOf.add(giver);
    }
    return face;
  }

  /** Returns whether some face of a block has come by a push. */
  public synchronized boolean hasHeardOf(int giver) {
    return heardOf.contains(giver);
  }

  /** Returns whether faces are on their way to this process. */
  public synchronized boolean areArriving() {
    return run != null && run.isHeard();
  }

  /** Notes that the block has all faces of a state. */
  public synchronized void pass(int state) {
    if (inbox != null) {
      inbox.pass(state);
    }
  }

  /** Returns whether faces are pushed to some blocks. */
  public synchronized boolean areGiven() {
    return !given.isEmpty();
  }

  /** Takes and gives nothing any more. */
  @Override
  public synchronized void cellsAreGone() {
    heardOf.clear();
    keepers.clear();
    all().forEach(PushedFaces::dropNeedless);
    given.clear();
    late.clear();
    PushRun left = run;
    if (left != null) {
      PushInbox closing = inbox;
      run = null;
      inbox = null;
      left.remove(block, closing);
      closing.close();
      pusher.leave(left);
      FaceLog.removeTicket(ticket, closing);
    }
  }

  private List<PushedFace> all() {
    return Stream.concat(late.stream(), given.values().stream().flatMap(Deque::stream)).toList();
  }

  /** Ends all that is on its way, and gives nothing any more. */
  public synchronized void forget(Notes notes) {
    for (PushedFace face : all()) {
      face.needless = true;
      face.takePuts().forEach(notes::put); // waits for one that is being put
    }
    cellsAreGone();
  }
}
