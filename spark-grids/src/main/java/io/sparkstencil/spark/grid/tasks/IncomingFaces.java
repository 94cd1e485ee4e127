/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.FacePath;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.faces.FaceLog.Put;
import io.sparkstencil.spark.grid.faces.PushedFaces;
import io.sparkstencil.spark.grid.tasks.LateAnswers.Asking;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;

/** Faces of other executors that come without the block managers: pushed, or in memory to read. */
final class IncomingFaces {
  /** In the first states it may still turn out that faces are shared. */
  private static final int FIRST_STATES = 2;

  /** So often it is looked for faces in shared memory, as nobody says when they are there. */
  private static final long SHARED_NANOS = 1_000_000L;

  /** Blocks hear of faces that are pushed, and look at once. */
  private static final long PUSHED_NANOS = 1_000_000_000L;

  private final GridModel model;
  private final Schedule schedule;
  private final Places places;
  private final String here;
  private final TaskPushes pushes;
  private final ExecutorService threads;

  /**
   * Prepares to take faces.
   *
   * @param threads ask other executors
   */
  IncomingFaces(
      GridModel model,
      Schedule schedule,
      Places places,
      String here,
      TaskPushes pushes,
      ExecutorService threads) {
    this.model = model;
    this.schedule = schedule;
    this.places = places;
    this.here = here;
    this.pushes = pushes;
    this.threads = threads;
  }

  /**
   * Takes faces of other executors that are there, though neighbours in this one are not so far.
   *
   * @return after how many nanoseconds to look again; 0 if all of them are there
   */
  long takeEarly(HeldBlock held, BlockTally tally) {
    BlockFields fields = held.fields();
    int state = held.state();
    Set<Integer> taken = held.attached(TakenFaces.class, TakenFaces::new).givers(fields, state);
    List<Integer> far =
        fields.place().givers().stream()
            .filter(giver -> !taken.contains(giver) && !places.executor(giver).equals(here))
            .toList();
    Optional<PushedFaces> pushed = pushesTo(held, state, far);
    long again = 0;
    for (int giver : far) {
      if (take(held, state, giver, pushed, Asking.ONCE, tally)) {
        tally.tookEarly();
      } else if (mayBeShared(fields, state, giver)) {
        again = SHARED_NANOS;
      } else if (again == 0) {
        again = PUSHED_NANOS;
      }
    }
    return again;
  }

  /** Returns the pushes to a block from some givers, if it has to be open for them. */
  Optional<PushedFaces> pushesTo(HeldBlock held, int state, List<Integer> givers) {
    TakenFaces progress = held.attached(TakenFaces.class, TakenFaces::new);
    boolean early = state < schedule.first() + FIRST_STATES;
    return pushes.to(
        held,
        state,
        givers,
        giver ->
            mayBeShared(held.fields(), state, giver)
                && (early || progress.hasReadFrom(places.executor(giver))));
  }

  /**
   * Takes a face that was pushed, or that memory has which can be read from here.
   *
   * @param asking whether others are asked what there is
   * @return whether it was there
   */
  boolean take(
      HeldBlock held,
      int state,
      int giver,
      Optional<PushedFaces> pushed,
      Asking asking,
      BlockTally tally) {
    BlockFields fields = held.fields();
    if (pushed.isPresent() && pushes.take(fields, state, giver, pushed.get())) {
      tally.took(FacePath.PUSHED);
    } else if (mayBeShared(fields, state, giver) && takeShared(held, state, giver, asking)) {
      tally.took(FacePath.SHARED);
    } else {
      return false;
    }
    held.attached(TakenFaces.class, TakenFaces::new).givers(fields, state).add(giver);
    return true;
  }

  /** Returns whether a face may be on a device of this host; of this process if it is replayed. */
  boolean mayBeShared(BlockFields fields, int state, int giver) {
    return state != Schedule.COEFFICIENTS
        && fields.deviceBytes() > 0
        && (places.isBeside(giver, here) || places.executor(giver).equals(here));
  }

  /**
   * Takes a face from a device of this host, if it is there: offered, or kept for those who come
   * back.
   *
   * @param asking whether others are asked what there is
   */
  private boolean takeShared(HeldBlock held, int state, int giver, Asking asking) {
    BlockFields fields = held.fields();
    TakenFaces faces = held.attached(TakenFaces.class, TakenFaces::new);
    Predicate<byte[]> take = ticket -> fields.takeShared(ticket, giver, model.updated(), state);
    Put offered = FaceTickets.offered(model, schedule, fields.place(), giver);
    Put kept = FaceTickets.kept(model, schedule, fields.place(), giver);
    boolean taken =
        faces
                .kept()
                .look(
                    giver,
                    asking == Asking.ONCE ? Asking.NOT : asking,
                    FaceTickets.kept(kept),
                    threads)
                .stream()
                .flatMap(List::stream)
                .filter(each -> each.first() <= state && state < each.end())
                .anyMatch(each -> take.test(each.ticket()))
            || faces
                .tickets()
                .look(giver, asking, FaceTickets.question(offered), threads)
                .filter(take)
                .isPresent();
    if (taken) {
      faces.readFrom(places.executor(giver));
    }
    return taken;
  }
}
