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
import io.sparkstencil.spark.grid.tasks.BlockTally.Put;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/**
 * Gives the cells of a block to its neighbours, and takes theirs: from one to the other if a
 * process holds both, else from the device of another process of the host, else through the log of
 * faces in the block managers, which has all that leave the process.
 */
final class FaceExchange {
  private final GridModel model;
  private final Schedule schedule;
  private final boolean awaits;
  private final Places places;
  private final String here;
  private final ExecutorService fetchers;
  private final ExecutorService loggers;

  /**
   * Creates the exchange of a task.
   *
   * @param places where blocks are
   * @param here the executor, as a preferred location
   */
  FaceExchange(GridModel model, Orders orders, Places places, String here, BlockRegistry registry) {
    this.model = model;
    this.schedule = orders.schedule();
    this.awaits = orders.awaitFaces();
    this.places = places;
    this.here = here;
    this.fetchers = registry.fetchers();
    this.loggers = registry.loggers();
  }

  private int firstField(int state) {
    return state == Schedule.COEFFICIENTS ? model.updated() : 0;
  }

  private int endField(int state) {
    return state == Schedule.COEFFICIENTS ? model.fields() : model.updated();
  }

  /**
   * Gives some neighbours what they need of a state: in the log, and where they can read it in the
   * memory of the device.
   */
  void give(HeldBlock held, int state, List<Integer> receivers, BlockTally tally)
      throws InterruptedException {
    int id = schedule.facesAt(state);
    if (id == 0 || firstField(state) == endField(state)) {
      return;
    }
    BlockFields fields = held.fields();
    boolean onDisk = fields.diskBytes() > 0;
    for (int receiver : receivers) {
      ExtendedBlock target = model.plan().extended(receiver);
      int index = Schedule.firstPiece(model, state, target, held.block());
      Optional<SharedFace> shared =
          state != Schedule.COEFFICIENTS && places.isBeside(receiver, here)
              ? fields.share(target, model.updated())
              : Optional.empty();
      if (shared.isPresent()) {
        held.attached(GivenFaces.class, GivenFaces::new)
            .share(
                receiver,
                shared.get(),
                state,
                ticket(target, held.block()),
                bytes -> FaceLog.put(id, index, bytes, false),
                loggers,
                tally);
      } else {
        ByteBuffer face = fields.pack(target, firstField(state), endField(state));
        FaceLog.put(id, index, face, onDisk).forEach(tally::put);
      }
      tally.face(bytes(target, state, held.block()));
    }
  }

  /** Returns where the ticket of a shared face is: behind the faces of coefficients. */
  private Put ticket(ExtendedBlock target, int source) {
    int index =
        model.plan().piecesPerSuperstep()
            + Schedule.firstPiece(model, Schedule.COEFFICIENTS, target, source);
    return new Put(schedule.facesAt(Schedule.COEFFICIENTS), index);
  }

  /** Removes what was put for a block, as nobody else may do it. */
  static void withdraw(HeldBlock held, BlockTally tally) {
    forget(held, tally);
    tally.puts().forEach(put -> BlockBytes.removeHere(put.id(), put.index()));
  }

  /** Ends the sharing of a block whose cells are to go. */
  static void forget(HeldBlock held, BlockTally tally) {
    held.attached(GivenFaces.class, GivenFaces::new).forget(tally);
  }

  /**
   * Fills the halo with the cells of a state. What it has got stays, if other faces are missing.
   *
   * @param beside the neighbours that this process holds in that state
   * @return whether all is there; the halo is of no use else
   */
  Halo take(HeldBlock held, int state, List<HeldBlock> beside, BlockTally tally)
      throws InterruptedException {
    BlockFields fields = held.fields();
    int first = firstField(state);
    int end = endField(state);
    TakenFaces progress = held.attached(TakenFaces.class, TakenFaces::new);
    Set<Integer> taken = progress.sources(fields, state);
    if (taken.add(held.block())) {
      fields.fillOwnImages(first, end);
    }
    if (first == end) {
      return Halo.FULL;
    }
    Set<Integer> near = new HashSet<>(taken);
    beside.forEach(each -> near.add(each.block()));
    List<MissingFace> missing = new ArrayList<>();
    List<FaceLog.Fetch> faces = new ArrayList<>();
    boolean asksAll = !awaits || progress.isImpatient();
    boolean unseen = false;
    try {
      ExtendedBlock place = fields.place();
      List<Integer> far = new ArrayList<>(place.sources());
      far.removeAll(near);
      for (int source : far) {
        if (takeShared(held, state, source)) {
          taken.add(source);
          tally.took(FacePath.SHARED);
        } else if (!asksAll && (!missing.isEmpty() || progress.isOnlyShared(source))) {
          unseen = true; // one request to the driver at a time is enough
        } else if (mayBeLogged(place, state, source)) {
          faces.add(fetch(place, state, source));
        } else {
          missing.add(new MissingFace(source, state));
        }
      }
      for (HeldBlock each : beside) {
        if (taken.add(each.block()) && !read(fields, each, first, end, tally)) {
          taken.remove(each.block());
          missing.add(new MissingFace(each.block(), state));
        }
      }
      for (FaceLog.Fetch face : faces) {
        if (!unpack(held, state, face, tally)) {
          missing.add(new MissingFace(face.source(), state));
        }
      }
      return new Halo(missing, unseen);
    } finally {
      faces.forEach(FaceLog.Fetch::cancel);
    }
  }

  /** Takes a face from the log, if it is found. */
  private boolean unpack(HeldBlock held, int state, FaceLog.Fetch face, BlockTally tally)
      throws InterruptedException {
    Optional<ByteBuffer> bytes = face.await();
    if (bytes.isEmpty()) {
      return false;
    }
    held.fields().unpack(face.source(), firstField(state), endField(state), bytes.get());
    tally.took(FacePath.LOG);
    TakenFaces progress = held.attached(TakenFaces.class, TakenFaces::new);
    progress.sources(held.fields(), state).add(face.source());
    progress.forgetTicket(face.source());
    return true;
  }

  /** Takes a face from the device of another process of the host, if it is there. */
  private boolean takeShared(HeldBlock held, int state, int source) {
    BlockFields fields = held.fields();
    if (state == Schedule.COEFFICIENTS
        || fields.deviceBytes() == 0
        || !places.isBeside(source, here)) {
      return false;
    }
    Put place = ticket(fields.place(), source);
    TakenFaces faces = held.attached(TakenFaces.class, TakenFaces::new);
    return faces
        .ticket(source, () -> BlockBytes.remote(place.id(), place.index()).map(FaceExchange::bytes))
        .filter(ticket -> fields.takeShared(ticket, source, model.updated(), state))
        .isPresent();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  /**
   * Returns whether it is worth to look for a face in the log. Where faces are waited for, nothing
   * is fetched before the last piece is there; else all that is missing is missed at once.
   */
  private boolean mayBeLogged(ExtendedBlock place, int state, int source) {
    int id = schedule.facesAt(state);
    if (id == 0 || !awaits) {
      return id != 0;
    }
    return FaceLog.isAnywhere(
        id, Schedule.firstPiece(model, state, place, source), bytes(place, state, source));
  }

  /** Begins to fetch a face from the log. */
  private FaceLog.Fetch fetch(ExtendedBlock place, int state, int source) {
    int first = Schedule.firstPiece(model, state, place, source);
    long bytes = bytes(place, state, source);
    return FaceLog.fetch(source, schedule.facesAt(state), first, bytes, fetchers);
  }

  /** Returns the bytes of a face. */
  private long bytes(ExtendedBlock target, int state, int source) {
    return model.plan().faceBytes(target, source, endField(state) - firstField(state));
  }

  /**
   * Returns whether some faces may come from elsewhere. Those of blocks that belong here are not on
   * their way: their tasks have not begun, or they have gone on.
   */
  boolean mayCome(List<MissingFace> faces) {
    return awaits && faces.stream().noneMatch(face -> places.executor(face.block()).equals(here));
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
