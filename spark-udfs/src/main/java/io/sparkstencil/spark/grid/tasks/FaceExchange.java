/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.HaloPlan;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Gives the cells of a block to its neighbours, and takes theirs: from one to the other if a
 * process holds both, else through the log of faces in the block managers.
 */
final class FaceExchange {
  /** After so long a fetch is looked after. */
  private static final long SLOW_MILLIS = 200;

  private final GridModel model;
  private final Schedule schedule;
  private final ExecutorService fetchers;

  FaceExchange(GridModel model, Schedule schedule, ExecutorService fetchers) {
    this.model = model;
    this.schedule = schedule;
    this.fetchers = fetchers;
  }

  private int firstField(int state) {
    return state == Schedule.COEFFICIENTS ? model.updated() : 0;
  }

  private int endField(int state) {
    return state == Schedule.COEFFICIENTS ? model.fields() : model.updated();
  }

  /** Puts what some neighbours need of a state into the log, where they find it. */
  void put(BlockFields fields, int state, List<Integer> targets, BlockTally tally) {
    int id = schedule.facesAt(state);
    if (id == 0 || firstField(state) == endField(state)) {
      return;
    }
    int block = fields.place().block();
    boolean onDisk = fields.diskBytes() > 0;
    for (int neighbour : targets) {
      ExtendedBlock target = model.plan().extended(neighbour);
      ByteBuffer face = fields.pack(target, firstField(state), endField(state));
      int index = Schedule.firstPiece(model, state, target, block);
      for (int at = 0; at < face.limit(); at += HaloPlan.PIECE_BYTES) {
        int bytes = Math.min(HaloPlan.PIECE_BYTES, face.limit() - at);
        if (BlockBytes.put(id, index, face.slice(at, bytes), onDisk)) {
          tally.put(new BlockTally.Put(id, index));
        }
        index++;
      }
      tally.face(face.limit());
    }
  }

  /** Removes what was put for a block, as nobody else may do it. */
  static void withdraw(BlockTally tally) {
    tally.puts().forEach(put -> BlockBytes.removeHere(put.id(), put.index()));
  }

  /** A piece that is being fetched, or is here. */
  private record Piece(int source, int id, int index, Future<Optional<ByteBuffer>> bytes) {}

  /**
   * Fills the halo with the cells of a state.
   *
   * @param beside the neighbours that this process holds in that state
   * @return the faces that were not found; the halo is of no use then
   */
  List<MissingFace> take(BlockFields fields, int state, List<HeldBlock> beside, BlockTally tally)
      throws InterruptedException {
    int first = firstField(state);
    int end = endField(state);
    fields.fillOwnImages(first, end);
    if (first == end) {
      return List.of();
    }
    ExtendedBlock place = fields.place();
    List<Integer> here = beside.stream().map(HeldBlock::block).toList();
    List<List<Piece>> faces = new ArrayList<>();
    try {
      for (int source : place.sources()) {
        if (!here.contains(source)) {
          faces.add(pieces(place, state, schedule.facesAt(state), source));
        }
      }
      List<MissingFace> missing = new ArrayList<>();
      for (HeldBlock each : beside) {
        if (read(fields, each.fields(), first, end)) {
          tally.face(model.plan().faceBytes(place, each.block(), end - first));
        } else {
          missing.add(new MissingFace(each.block(), state));
        }
      }
      for (List<Piece> face : faces) {
        int source = face.get(0).source();
        Optional<ByteBuffer> bytes = join(face);
        if (bytes.isPresent()) {
          fields.unpack(source, first, end, bytes.get());
        } else {
          missing.add(new MissingFace(source, state));
        }
      }
      return missing;
    } finally {
      faces.stream().flatMap(List::stream).forEach(piece -> piece.bytes().cancel(true));
    }
  }

  /** Reads a neighbour's cells; returns whether the device that has them could give them. */
  private static boolean read(BlockFields fields, BlockFields beside, int first, int end) {
    try {
      fields.take(beside, first, end);
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
      Optional<ByteBuffer> here = id == 0 ? Optional.empty() : BlockBytes.local(id, index);
      pieces.add(
          new Piece(
              source,
              id,
              index,
              here.isPresent() || id == 0
                  ? CompletableFuture.completedFuture(here)
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
