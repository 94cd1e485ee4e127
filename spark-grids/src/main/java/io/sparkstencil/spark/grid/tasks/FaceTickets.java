/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.SharedFace;
import io.sparkstencil.grid.SharedFace.Kept;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.catalyst.interop.PlacedRdd;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.blocks.RunKey;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.grid.faces.FaceLog;
import io.sparkstencil.spark.grid.faces.FaceLog.Put;
import io.sparkstencil.spark.grid.faces.PushedFaces;
import io.sparkstencil.spark.grid.tasks.LateAnswers.Question;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.SerializableWritable;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Where the tickets of shared faces are in the block managers, behind the faces of coefficients;
 * and a task that brings the faces that a block keeps within reach of those who come back: it says
 * where they are, or puts them into the log of the block managers.
 */
public final class FaceTickets implements PlacedRdd.PartitionTask<FirstCells, Integer> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<SerializableWritable<Packed<GridModel>>> model;
  private final int run;
  private final Schedule schedule;
  private final Set<Integer> takers;
  private final Wanted wanted;

  /**
   * The faces that are wanted.
   *
   * @param from their first state
   * @param end the state after the last; copies of earlier ones than the first are removed
   * @param copied the blocks whose shared faces are copied, as their readers cannot read them where
   *     they are
   */
  public record Wanted(int from, int end, Set<Integer> copied) implements Serializable {
    /** Stands for the state after the last that there is. */
    public static final int ALL = Integer.MAX_VALUE;
  }

  /**
   * Creates a task.
   *
   * @param run the number of the run
   * @param takers the blocks that need faces
   */
  public FaceTickets(
      Broadcast<SerializableWritable<Packed<GridModel>>> model,
      int run,
      Schedule schedule,
      Set<Integer> takers,
      Wanted wanted) {
    this.model = model;
    this.run = run;
    this.schedule = schedule;
    this.takers = Set.copyOf(takers);
    this.wanted = wanted;
  }

  /** Returns how many faces, or places of faces, are within reach now. */
  @Override
  public Integer run(TaskContext context, int block, Supplier<Iterator<FirstCells>> source) {
    GridModel grid = Packed.open(model.value());
    Optional<HeldBlock> held =
        BlockRegistry.of(ExecutorRuntime.current()).find(new RunKey(grid.id(), run), block);
    return held.map(
            found -> {
              found.attached(BroughtFaces.class, BroughtFaces::new).removeBefore(wanted.from());
              GivenFaces faces = found.attached(GivenFaces.class, GivenFaces::new);
              int told = tellOfPushed(grid, schedule, found, takers, wanted);
              return told
                  + takers.stream().mapToInt(taker -> offer(grid, found, taker, faces)).sum();
            })
        .orElse(0);
  }

  private int offer(GridModel grid, HeldBlock held, int taker, GivenFaces faces) {
    Optional<SharedFace> face = faces.face(taker);
    if (face.isEmpty()) {
      return 0;
    }
    return wanted.copied().contains(held.block())
        ? copy(grid, schedule, held, taker, face.get(), wanted)
        : tell(grid, held.block(), taker, face.get());
  }

  private int tell(GridModel grid, int block, int taker, SharedFace face) {
    List<Kept> kept = face.kept();
    Put place = kept(grid, schedule, grid.plan().extended(taker), block);
    BlockBytes.replace(place.id(), place.index(), toBytes(kept));
    return kept.size();
  }

  /**
   * Puts the faces that a block shares with another, or keeps for it, into the block manager.
   *
   * @return how many pieces were not there
   */
  static int copy(
      GridModel grid, Schedule schedule, HeldBlock held, int to, SharedFace face, Wanted wanted) {
    ExtendedBlock taker = grid.plan().extended(to);
    BroughtFaces brought = held.attached(BroughtFaces.class, BroughtFaces::new);
    int first = Math.max(wanted.from(), schedule.first());
    int count = 0;
    for (int state : face.states()) {
      int id = state < first || state >= wanted.end() ? 0 : schedule.facesAt(state);
      Optional<ByteBuffer> bytes = id == 0 ? Optional.empty() : face.get(state);
      if (bytes.isPresent()) {
        int index = schedule.firstPiece(grid, state, taker, held.block());
        List<Put> puts = FaceLog.put(id, index, bytes.get(), false);
        brought.add(state, puts);
        count += puts.size();
      }
    }
    return count;
  }

  /**
   * Tells the driver where the faces are that a block has pushed to some others; those that it
   * keeps near its fields are copied to the block manager.
   *
   * @return how many it did not know of
   */
  static int tellOfPushed(
      GridModel grid,
      Schedule schedule,
      HeldBlock held,
      Collection<Integer> takers,
      Wanted wanted) {
    PushedFaces pushed = held.attached(PushedFaces.class, PushedFaces::new);
    if (!pushed.areGiven()) {
      return 0;
    }
    BroughtFaces brought = held.attached(BroughtFaces.class, BroughtFaces::new);
    int first = Math.max(schedule.first(), wanted.from());
    int told = 0;
    for (int to : takers) {
      ExtendedBlock taker = grid.plan().extended(to);
      if (taker.givers().contains(held.block())) {
        told += pushed.tell(to, first);
        long bytes = grid.plan().faceBytes(taker, held.block(), grid.updated());
        for (int state = first; state <= held.state() && state < wanted.end(); state++) {
          int id = schedule.facesAt(state);
          int index = schedule.firstPiece(grid, state, taker, held.block());
          if (id != 0 && FaceLog.isHere(id, index, bytes)) {
            told += FaceLog.tell(id, index, bytes) ? 1 : 0;
          } else if (id != 0) {
            List<Put> puts = pushed.putKept(to, state, id, index);
            brought.add(state, puts);
            told += puts.isEmpty() ? 0 : 1;
          }
        }
      }
    }
    return told;
  }

  /** Returns where the ticket is of the executor that has a block. */
  static Put pushed(GridModel model, Schedule schedule, int block) {
    int index = Math.addExact(Math.multiplyExact(3, model.plan().piecesPerSuperstep()), block);
    return new Put(schedule.facesAt(Schedule.COEFFICIENTS), index);
  }

  /** Returns where the ticket of the memory is in which a face is offered. */
  static Put offered(GridModel model, Schedule schedule, ExtendedBlock taker, int giver) {
    return place(model, schedule, taker, giver, 1);
  }

  /** Returns where it is said where the states of a face are that are kept. */
  static Put kept(GridModel model, Schedule schedule, ExtendedBlock taker, int giver) {
    return place(model, schedule, taker, giver, 2);
  }

  private static Put place(
      GridModel model, Schedule schedule, ExtendedBlock taker, int giver, int kind) {
    int index =
        Math.multiplyExact(kind, model.plan().piecesPerSuperstep())
            + schedule.firstPiece(model, Schedule.COEFFICIENTS, taker, giver);
    return new Put(schedule.facesAt(Schedule.COEFFICIENTS), index);
  }

  /** Returns what is in a place of this executor, or of another one, which may be late. */
  static Optional<byte[]> find(Put place) {
    return BlockBytes.local(place.id(), place.index())
        .or(() -> BlockBytes.remote(place.id(), place.index()))
        .map(
            buffer -> {
              byte[] bytes = new byte[buffer.remaining()];
              buffer.get(bytes);
              return bytes;
            });
  }

  /** Asks what is in a place. */
  static Question<byte[]> question(Put place) {
    return new Question<>(
        () -> find(place), () -> BlockBytes.isAnywhere(place.id(), place.index()));
  }

  /** Asks what was told of states that are kept. */
  static Question<List<Kept>> kept(Put place) {
    Question<byte[]> question = question(place);
    return new Question<>(
        () -> question.answer().call().map(FaceTickets::ofBytes), question.hasAnswer());
  }

  private static ByteBuffer toBytes(List<Kept> kept) {
    int bytes = kept.stream().mapToInt(each -> 3 * Integer.BYTES + each.ticket().length).sum();
    ByteBuffer all = ByteBuffer.allocate(Integer.BYTES + bytes).putInt(kept.size());
    kept.forEach(
        each ->
            all.putInt(each.first())
                .putInt(each.end())
                .putInt(each.ticket().length)
                .put(each.ticket()));
    return all.flip();
  }

  private static List<Kept> ofBytes(byte[] bytes) {
    ByteBuffer all = ByteBuffer.wrap(bytes);
    List<Kept> kept = new ArrayList<>();
    for (int left = all.getInt(); left > 0; left--) {
      int first = all.getInt();
      int end = all.getInt();
      byte[] ticket = new byte[all.getInt()];
      all.get(ticket);
      kept.add(new Kept(first, end, ticket));
    }
    return kept;
  }
}
