/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FacePath;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.faces.FaceLog;
import io.sparkstencil.spark.grid.faces.PushedFaces;
import io.sparkstencil.spark.grid.tasks.FaceTickets.Wanted;
import io.sparkstencil.spark.grid.tasks.GivenFaces.Logging;
import io.sparkstencil.spark.grid.tasks.LateAnswers.Asking;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/**
 * Gives the cells of a block to its neighbours, and takes theirs: from one to the other if a
 * process holds both, else from the device of another process of the host, else by a push, else
 * through the log of faces in the block managers. {@link #give} decides which it is.
 */
final class FaceExchange {
  private final GridModel model;
  private final Schedule schedule;
  private final Orders orders;
  private final Places places;
  private final String here;
  private final TaskPushes pushes;
  private final IncomingFaces incoming;
  private final ExecutorService fetchers;
  private final ExecutorService loggers;
  private final ExecutorService savers;

  /**
   * Creates the exchange of a task.
   *
   * @param places where blocks are
   * @param here the executor, as a preferred location
   */
  FaceExchange(
      GridModel model, Orders orders, Places places, String here, ExecutorRuntime runtime) {
    BlockRegistry registry = BlockRegistry.of(runtime);
    this.model = model;
    this.schedule = orders.schedule();
    this.orders = orders;
    this.places = places;
    this.here = here;
    this.pushes = new TaskPushes(model, orders, places, here, runtime);
    this.fetchers = registry.fetchers();
    this.incoming = new IncomingFaces(model, schedule, places, here, pushes, fetchers);
    this.loggers = registry.loggers();
    this.savers = registry.savers();
  }

  private int firstField(int state) {
    return state == Schedule.COEFFICIENTS ? model.updated() : 0;
  }

  private int endField(int state) {
    return state == Schedule.COEFFICIENTS ? model.fields() : model.updated();
  }

  /**
   * Gives some neighbours what they need of a state: in memory of the device that they can read,
   * else by a push, else through the log.
   */
  void give(HeldBlock held, int state, List<Integer> takers, BlockTally tally)
      throws InterruptedException {
    int id = schedule.facesAt(state);
    if (id == 0 || firstField(state) == endField(state)) {
      return;
    }
    held.attached(GivenFaces.class, GivenFaces::new).giveUpBefore(firstLogged());
    held.attached(PushedFaces.class, PushedFaces::new).giveUpBefore(firstLogged());
    for (int block : takers) {
      ExtendedBlock taker = model.plan().extended(block);
      if (!share(held, state, taker, tally)
          && !pushes.give(held, state, taker, firstLogged(), tally)) {
        BlockFields fields = held.fields();
        boolean onDisk = fields.diskBytes() > 0;
        ByteBuffer face = fields.pack(taker, firstField(state), endField(state));
        int bytes = face.limit();
        int index = schedule.firstPiece(model, state, taker, held.block());
        FaceLog.put(id, index, face, onDisk).forEach(tally::put);
        tally.logged(onDisk ? bytes : FaceLog.heapBytes(bytes), 0);
      }
      tally.face(bytes(taker, state, held.block()));
    }
  }

  /** Offers a face in the memory of the device, if its reader is a process of this host. */
  private boolean share(HeldBlock held, int state, ExtendedBlock taker, BlockTally tally)
      throws InterruptedException {
    int to = taker.block();
    if (state == Schedule.COEFFICIENTS || !places.isBeside(to, here)) {
      return false;
    }
    Optional<SharedFace> face =
        held.fields().share(taker, model.updated(), TaskPushes.slots(held.fields().place(), to));
    if (face.isPresent()) {
      Logging logging = logging(to, state);
      int id = schedule.facesAt(state);
      int index = schedule.firstPiece(model, state, taker, held.block());
      held.attached(GivenFaces.class, GivenFaces::new)
          .share(
              to,
              face.get(),
              bytes(taker, state, held.block()),
              state,
              FaceTickets.offered(model, schedule, taker, held.block()),
              logging,
              bytes -> FaceLog.put(id, index, bytes, false),
              logging == Logging.FOR_READERS ? loggers : savers,
              tally);
    }
    return face.isPresent();
  }

  /** Returns the first state whose faces may help to bring a block back. */
  private int firstLogged() {
    return Math.max(schedule.first(), schedule.loggedFrom());
  }

  private Logging logging(int taker, int state) {
    if (!places.readers().get(taker)) {
      return Logging.FOR_READERS;
    }
    return state < firstLogged() ? Logging.NONE : Logging.FOR_RECOVERY;
  }

  /** Removes what was put for a block, as nobody else may do it. */
  static void withdraw(HeldBlock held, BlockTally tally) {
    forget(held, tally);
    tally.puts().forEach(put -> BlockBytes.removeHere(put.id(), put.index()));
  }

  /** Puts what a block keeps for others where they find it, as the block leaves the executor. */
  static void leave(HeldBlock held, GridModel model, Schedule schedule) {
    if (schedule.loggedFrom() == Schedule.NEVER) {
      return;
    }
    Wanted all = new Wanted(0, Wanted.ALL, Set.of());
    FaceTickets.tellOfPushed(model, schedule, held, model.plan().takers(held.block()), all);
    GivenFaces given = held.attached(GivenFaces.class, GivenFaces::new);
    for (int taker : given.takers()) {
      given
          .face(taker)
          .ifPresent(face -> FaceTickets.copy(model, schedule, held, taker, face, all));
    }
  }

  /** Ends the sharing of a block whose cells are to go. */
  static void forget(HeldBlock held, BlockTally tally) {
    held.attached(GivenFaces.class, GivenFaces::new).forget(tally);
    held.attached(PushedFaces.class, PushedFaces::new).forget(tally);
  }

  /**
   * Fills the halo with the cells of a state. What it has got stays, if other faces are missing.
   *
   * @param beside the neighbours that this process holds in that state
   * @return whether all is there; the halo is of no use else
   */
  HaloFill take(HeldBlock held, int state, List<HeldBlock> beside, BlockTally tally)
      throws InterruptedException {
    BlockFields fields = held.fields();
    int first = firstField(state);
    int end = endField(state);
    TakenFaces progress = held.attached(TakenFaces.class, TakenFaces::new);
    Set<Integer> taken = progress.givers(fields, state);
    if (taken.add(held.block())) {
      fields.fillOwnImages(first, end);
    }
    if (first == end) {
      return HaloFill.FULL;
    }
    Set<Integer> here = new HashSet<>(taken);
    beside.forEach(each -> here.add(each.block()));
    List<Integer> elsewhere = new ArrayList<>(fields.place().givers());
    elsewhere.removeAll(here);
    Search search = new Search();
    try {
      search(held, state, elsewhere, search, tally);
      for (HeldBlock each : beside) {
        if (taken.add(each.block()) && !read(fields, each, first, end, tally)) {
          taken.remove(each.block());
          search.missing.add(new MissingFace(each.block(), state));
        }
      }
      for (FaceLog.Fetch face : search.found) {
        if (!unpack(held, state, face, tally)) {
          search.missing.add(new MissingFace(face.giver(), state));
        }
      }
      HaloFill halo = new HaloFill(search.missing, search.unseen);
      if (halo.isFull() && state != Schedule.COEFFICIENTS) {
        held.attached(PushedFaces.class, PushedFaces::new).pass(state);
      }
      return halo;
    } finally {
      search.found.forEach(FaceLog.Fetch::cancel);
    }
  }

  /** What has become of a look for faces. */
  private static final class Search {
    private final List<MissingFace> missing = new ArrayList<>();
    private final List<FaceLog.Fetch> found = new ArrayList<>(); // in the log
    private boolean unseen;
  }

  /** Takes faces that are shared, and begins to fetch those that are in the log. */
  private void search(
      HeldBlock held, int state, List<Integer> givers, Search search, BlockTally tally) {
    BlockFields fields = held.fields();
    TakenFaces progress = held.attached(TakenFaces.class, TakenFaces::new);
    boolean isLast = progress.isImpatient();
    boolean isTime = progress.isTimeToAsk();
    boolean waitsForFar = false;
    Optional<PushedFaces> pushed = incoming.pushesTo(held, state, givers);
    for (int giver : givers) {
      boolean asksAll = isLast || !orders.awaits(giver);
      boolean asks = isTime || asksAll;
      Asking asking = asksAll ? Asking.NOW : asks ? Asking.MEANWHILE : Asking.ONCE;
      boolean shares =
          incoming.mayBeShared(fields, state, giver)
              && progress.hasReadFrom(places.executor(giver));
      boolean proven = shares || pushed.filter(each -> each.hasHeardOf(giver)).isPresent();
      waitsForFar |= !shares;
      if (incoming.take(held, state, giver, pushed, asking, tally)) {
        continue;
      }
      if (!asksAll && (!search.missing.isEmpty() || (proven && !asks))) {
        search.unseen = true; // one request to the driver at a time is enough
      } else if (mayBeLogged(fields.place(), state, giver)) {
        search.found.add(fetch(fields.place(), state, giver));
      } else {
        search.missing.add(new MissingFace(giver, state));
      }
    }
    progress.waitsForFar(waitsForFar);
  }

  /** Takes faces of other executors that are there; see {@link IncomingFaces#takeEarly}. */
  long takeEarly(HeldBlock held, BlockTally tally) {
    return incoming.takeEarly(held, tally);
  }

  /** Takes a face from the log, if it is found. */
  private boolean unpack(HeldBlock held, int state, FaceLog.Fetch face, BlockTally tally)
      throws InterruptedException {
    Optional<ByteBuffer> bytes = face.await();
    if (bytes.isEmpty()) {
      return false;
    }
    held.fields().unpack(face.giver(), firstField(state), endField(state), bytes.get());
    tally.took(FacePath.LOG);
    TakenFaces progress = held.attached(TakenFaces.class, TakenFaces::new);
    progress.givers(held.fields(), state).add(face.giver());
    progress.forget(face.giver());
    return true;
  }

  /**
   * Returns whether it is worth to look for a face in the log. Of blocks that are waited for,
   * nothing is fetched before the last piece is there; what others lack is missed at once.
   */
  private boolean mayBeLogged(ExtendedBlock place, int state, int giver) {
    int id = schedule.facesAt(state);
    if (id == 0 || !orders.awaits(giver)) {
      return id != 0;
    }
    return FaceLog.isAnywhere(
        id, schedule.firstPiece(model, state, place, giver), bytes(place, state, giver));
  }

  /** Begins to fetch a face from the log. */
  private FaceLog.Fetch fetch(ExtendedBlock place, int state, int giver) {
    int first = schedule.firstPiece(model, state, place, giver);
    long bytes = bytes(place, state, giver);
    return FaceLog.fetch(giver, schedule.facesAt(state), first, bytes, fetchers);
  }

  /** Returns the bytes of a face. */
  private long bytes(ExtendedBlock taker, int state, int giver) {
    return model.plan().faceBytes(taker, giver, endField(state) - firstField(state));
  }

  /**
   * Returns whether some faces may come from elsewhere. Those of blocks that belong here are not on
   * their way: their tasks have not begun, or they have gone on. Nor are those of blocks that have
   * no task, as blocks are brought back beside them.
   */
  boolean mayCome(List<MissingFace> faces) {
    return orders.awaitFaces()
        && faces.stream()
            .allMatch(
                face -> orders.awaits(face.block()) && !places.executor(face.block()).equals(here));
  }

  /** Returns whether the executors of all blocks are there: who lacks a face gives none, either. */
  boolean areAllThere() {
    Set<String> others = BlockBytes.others();
    return places.executors().stream()
        .allMatch(executor -> executor.equals(here) || others.contains(executor));
  }

  /** Reads a neighbour's cells; returns whether the device that has them could give them. */
  private boolean read(BlockFields fields, HeldBlock beside, int first, int end, BlockTally tally) {
    try {
      tally.took(fields.take(beside.fields(), first, end));
      tally.face(model.plan().faceBytes(fields.place(), beside.block(), end - first));
      return true;
    } catch (StencilException e) {
      if (!fields.engine().isEmpty()) {
        throw e; // the device of these fields may have failed as well
      }
      return false; // whoever works on that block next will find out
    }
  }
}
