/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FacePath;
import io.sparkstencil.grid.HaloPlan;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.tasks.BlockTally.Put;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Gives the cells of a block to its neighbours, and takes theirs: from one to the other if a
 * process holds both, else from the device of another process of the host, else through the log of
 * faces in the block managers, which has all that leave the process.
 */
final class FaceExchange {
  /** After so long a fetch is looked after. */
  private static final long SLOW_MILLIS = 200;

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
                bytes -> log(id, index, bytes, false),
                loggers,
                tally);
      } else {
        ByteBuffer face = fields.pack(target, firstField(state), endField(state));
        log(id, index, face, onDisk).forEach(tally::put);
      }
      tally.face(model.plan().faceBytes(target, held.block(), endField(state) - firstField(state)));
    }
  }

  /** Puts a face into the log; returns what was not there before. */
  private static List<Put> log(int id, int first, ByteBuffer face, boolean onDisk) {
    List<Put> puts = new ArrayList<>();
    int index = first;
    for (int at = 0; at < face.limit(); at += HaloPlan.PIECE_BYTES) {
      int bytes = Math.min(HaloPlan.PIECE_BYTES, face.limit() - at);
      if (BlockBytes.put(id, index, face.slice(at, bytes), onDisk)) {
        puts.add(new Put(id, index));
      }
      index++;
    }
    return puts;
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

  /** A piece that is being fetched, or is here. */
  private record Piece(int source, int id, int index, Future<Optional<ByteBuffer>> bytes) {}

  /**
   * Fills the halo with the cells of a state. What it has got stays, if other faces are missing.
   *
   * @param beside the neighbours that this process holds in that state
   * @return the faces that were not found; the halo is of no use without them
   */
  List<MissingFace> take(HeldBlock held, int state, List<HeldBlock> beside, BlockTally tally)
      throws InterruptedException {
    BlockFields fields = held.fields();
    int first = firstField(state);
    int end = endField(state);
    Set<Integer> taken = held.attached(TakenFaces.class, TakenFaces::new).sources(fields, state);
    if (taken.add(held.block())) {
      fields.fillOwnImages(first, end);
    }
    if (first == end) {
      return List.of();
    }
    ExtendedBlock place = fields.place();
    List<Integer> near = beside.stream().map(HeldBlock::block).toList();
    List<MissingFace> missing = new ArrayList<>();
    List<List<Piece>> faces = new ArrayList<>();
    try {
      for (int source : place.sources()) {
        if (taken.contains(source) || near.contains(source)) {
          continue;
        }
        if (takeShared(held, state, source)) {
          taken.add(source);
          tally.took(FacePath.SHARED);
        } else if (mayBeLogged(place, state, source)) {
          faces.add(pieces(place, state, schedule.facesAt(state), source));
        } else {
          missing.add(new MissingFace(source, state));
        }
      }
      for (HeldBlock each : beside) {
        if (!taken.contains(each.block()) && !read(fields, each, first, end, tally)) {
          missing.add(new MissingFace(each.block(), state));
        } else {
          taken.add(each.block());
        }
      }
      for (List<Piece> face : faces) {
        int source = face.get(0).source();
        Optional<ByteBuffer> bytes = join(face);
        if (bytes.isPresent()) {
          fields.unpack(source, first, end, bytes.get());
          taken.add(source);
          tally.took(FacePath.LOG);
        } else {
          missing.add(new MissingFace(source, state));
        }
      }
      return missing;
    } finally {
      faces.stream().flatMap(List::stream).forEach(piece -> piece.bytes().cancel(true));
    }
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
    long bytes = model.plan().faceBytes(place, source, endField(state) - firstField(state));
    int last =
        Schedule.firstPiece(model, state, place, source)
            + (int) ((bytes - 1) / HaloPlan.PIECE_BYTES);
    return BlockBytes.isHere(id, last) || BlockBytes.isAnywhere(id, last);
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

  private List<Piece> pieces(ExtendedBlock place, int state, int id, int source) {
    long bytes = model.plan().faceBytes(place, source, endField(state) - firstField(state));
    int first = Schedule.firstPiece(model, state, place, source);
    List<Piece> pieces = new ArrayList<>();
    for (long at = 0; at < bytes; at += HaloPlan.PIECE_BYTES) {
      int index = first + pieces.size();
      Optional<ByteBuffer> local = BlockBytes.local(id, index);
      pieces.add(
          new Piece(
              source,
              id,
              index,
              local.isPresent()
                  ? CompletableFuture.completedFuture(local)
                  : fetchers.submit(() -> BlockBytes.remote(id, index))));
    }
    return pieces;
  }

  private static Optional<ByteBuffer> join(List<Piece> face) throws InterruptedException {
    List<ByteBuffer> found = new ArrayList<>();
    int bytes = 0;
    for (Piece piece : face) {
      Optional<ByteBuffer> part = await(piece);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      found.add(part.get());
      bytes += part.get().remaining();
    }
    if (found.size() == 1) {
      return Optional.of(found.get(0));
    }
    ByteBuffer all = ByteBuffer.allocate(bytes);
    found.forEach(all::put);
    return Optional.of(all.flip());
  }

  /**
   * A fetch that fails finds nothing: the executor that had the bytes is gone. Spark repeats such
   * fetches for many seconds, which nobody waits for when the driver has removed the executor.
   */
  private static Optional<ByteBuffer> await(Piece piece) throws InterruptedException {
    while (true) {
      try {
        return piece.bytes().get(SLOW_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (!BlockBytes.isAnywhere(piece.id(), piece.index())) {
          return Optional.empty();
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        return Optional.empty();
      }
    }
  }
}
