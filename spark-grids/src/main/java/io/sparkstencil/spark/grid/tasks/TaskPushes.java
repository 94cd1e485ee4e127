/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FaceBuffer;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.faces.FaceLog.Put;
import io.sparkstencil.spark.grid.faces.FacePusher;
import io.sparkstencil.spark.grid.faces.HeapFace;
import io.sparkstencil.spark.grid.faces.PushedFaces;
import io.sparkstencil.spark.grid.faces.PushedFaces.Expected;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * What a task pushes, and takes of pushes. Blocks that go on together push to each other; those
 * that are brought back take what is in the log of all others, and log what these may need once
 * more.
 */
final class TaskPushes {
  private final GridModel model;
  private final Schedule schedule;
  private final Orders orders;
  private final Places places;
  private final String here;
  private final ExecutorRuntime runtime;

  TaskPushes(GridModel model, Orders orders, Places places, String here, ExecutorRuntime runtime) {
    this.model = model;
    this.schedule = orders.schedule();
    this.orders = orders;
    this.places = places;
    this.here = here;
    this.runtime = runtime;
  }

  /**
   * Returns how many states are offered at a time: enough for all of a job, where the reader gives
   * nothing back that would hold the block up.
   */
  static int slots(ExtendedBlock giver, int taker) {
    return giver.givers().contains(taker) ? SharedFace.FEWEST_SLOTS : Places.MOST_AHEAD + 1;
  }

  /** Pushes a face, if its reader is on its way in another process, and this one pushes. */
  boolean give(HeldBlock held, int state, ExtendedBlock taker, int firstLogged, BlockTally tally) {
    BlockFields fields = held.fields();
    int to = taker.block();
    if (isHere(to) || !orders.awaits(to) || fields.diskBytes() > 0) {
      return false;
    }
    Optional<PushedFaces> pushes = of(held, state);
    if (pushes.isPresent()) {
      Put ticket = FaceTickets.pushed(model, schedule, to);
      pushes
          .get()
          .give(
              new PushedFaces.Given(
                  to,
                  state,
                  schedule.facesAt(state),
                  schedule.firstPiece(model, state, taker, held.block()),
                  state >= firstLogged),
              places.executor(to),
              () -> FaceTickets.find(ticket),
              packed(fields, taker),
              slots(fields.place(), to),
              fields.keeper(taker, model.updated()),
              BlockRegistry.of(runtime),
              tally);
    }
    return pushes.isPresent();
  }

  /** Returns a face in memory that is near to the fields, or on the heap. */
  private FaceBuffer packed(BlockFields fields, ExtendedBlock taker) {
    int bytes =
        Math.toIntExact(model.plan().faceBytes(taker, fields.place().block(), model.updated()));
    Optional<FaceBuffer> lent = fields.lendFace(bytes);
    if (lent.isEmpty()) {
      return new HeapFace(fields.pack(taker, 0, model.updated()));
    }
    try {
      fields.pack(taker, 0, model.updated(), lent.get());
    } catch (RuntimeException e) {
      lent.get().close();
      throw e;
    }
    return lent.get();
  }

  /** Returns the pushes of a block; nothing if its faces of a state do not travel so. */
  Optional<PushedFaces> of(HeldBlock held, int state) {
    if (state == Schedule.COEFFICIENTS || !orders.awaitFaces() || schedule.keepsAll()) {
      return Optional.empty();
    }
    PushedFaces faces = held.attached(PushedFaces.class, PushedFaces::new);
    ExtendedBlock place = held.fields().place();
    int run = schedule.facesAt(Schedule.COEFFICIENTS);
    Put ticket = FaceTickets.pushed(model, schedule, held.block());
    return faces.open(FacePusher.of(runtime), run, held, () -> expected(place), ticket)
        ? Optional.of(faces)
        : Optional.empty();
  }

  private boolean isHere(int block) {
    return places.executor(block).equals(here);
  }

  /** Returns what may be pushed to a block, by those that give it. */
  private Map<Integer, Expected> expected(ExtendedBlock place) {
    Map<Integer, Expected> expected = new HashMap<>();
    for (int giver : place.givers()) {
      long bytes = model.plan().faceBytes(place, giver, model.updated());
      if (bytes <= Integer.MAX_VALUE) { // a larger one is only read where it is given
        expected.put(
            giver, new Expected((int) bytes, slots(model.plan().extended(giver), place.block())));
      }
    }
    return expected;
  }

  /**
   * Returns the pushes to a block; nothing if it is not worth it to open it for them.
   *
   * @param givers that are elsewhere
   * @param shares whether a giver is known to share its faces with this process
   */
  Optional<PushedFaces> to(HeldBlock held, int state, List<Integer> givers, IntPredicate shares) {
    boolean isOpen = held.attached(PushedFaces.class, PushedFaces::new).isOpen();
    return isOpen
            || givers.stream()
                .anyMatch(giver -> orders.awaits(giver) && !isHere(giver) && !shares.test(giver))
        ? of(held, state)
        : Optional.empty();
  }

  /** Takes a face that was pushed, if it is there. */
  boolean take(BlockFields fields, int state, int giver, PushedFaces pushes) {
    Optional<FaceBuffer> face = pushes.take(giver, state);
    face.ifPresent(bytes -> fields.unpack(giver, 0, model.updated(), bytes));
    return face.isPresent();
  }
}
