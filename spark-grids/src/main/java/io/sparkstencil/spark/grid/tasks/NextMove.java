/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.blocks.HeldBlock.Use;
import io.sparkstencil.spark.grid.blocks.RunBlocks;
import io.sparkstencil.spark.grid.tasks.BlockMove.MoveKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Chooses what a task does next: blocks whose faces other executors wait for go first, if they are
 * not ahead, so that these faces travel while the others step; then its own block, then those of
 * the same executor that it waits for, so that a task needs no other to go on. Blocks of one
 * executor read each other's cells where they are. So a block may take a superstep when its halo is
 * filled, and when those that read its cells have done so. As all of them would wait for faces of
 * other executors then, tasks that have nothing else to do take these while others step. All
 * methods need the monitor of the run's blocks.
 */
final class NextMove {
  /** Those that are behind, and of these the ones whose faces others wait for. */
  private static final Comparator<HeldBlock> FIRST =
      Comparator.comparingInt(HeldBlock::state).thenComparing(held -> held.givenTo().isEmpty());

  private final GridModel model;
  private final Orders orders;
  private final int job;
  private final RunBlocks run;
  private final HeldBlock own;

  NextMove(GridModel model, Orders orders, int job, RunBlocks run, HeldBlock own) {
    this.model = model;
    this.orders = orders;
    this.job = job;
    this.run = run;
    this.own = own;
  }

  /**
   * Returns the next move; nothing while others use blocks that it needs, or if there is none. A
   * task that is over reports, whatever others do meanwhile.
   */
  Optional<BlockMove> choose() {
    if (isOver()) {
      return report();
    }
    if (mustBegin(own)) {
      return own.isIdle() ? Optional.of(BlockMove.of(MoveKind.LOAD, own)) : Optional.empty();
    }
    return rim().or(() -> move(own)).or(this::others).or(this::early);
  }

  /** Returns a move of a block whose faces others wait for, unless that is so of the own block. */
  private Optional<BlockMove> rim() {
    return own.givenTo().isEmpty()
        ? run.all().stream()
            .filter(held -> !held.givenTo().isEmpty() && held.state() <= own.state())
            .sorted(FIRST)
            .flatMap(held -> move(held).stream())
            .findFirst()
        : Optional.empty();
  }

  private Optional<BlockMove> others() {
    return run.all().stream()
        .filter(held -> held != own)
        .sorted(FIRST)
        .flatMap(held -> move(held).stream())
        .findFirst();
  }

  /** Returns a look for faces of other executors that a block needs later. */
  private Optional<BlockMove> early() {
    return fetching()
        .filter(held -> held.fetchNanos() <= 0)
        .findFirst()
        .map(held -> BlockMove.of(MoveKind.FETCH, held));
  }

  /** Returns the blocks that wait for others which step, and whose far faces may come meanwhile. */
  private Stream<HeldBlock> fetching() {
    return orders.awaitFaces() && run.all().stream().anyMatch(held -> held.use() == Use.CHANGING)
        ? run.all().stream().filter(this::mayFetch)
        : Stream.empty();
  }

  private boolean mayFetch(HeldBlock held) {
    return held.use() == Use.NONE
        && !held.isWaiting()
        && !held.isFilled()
        && !held.isFetched()
        && held.coefficientsComplete()
        && !held.isStuckIn(job)
        && !mustBegin(held)
        && held.state() != orders.target()
        && neighbours(held).givers().stream().anyMatch(giver -> run.block(giver) == null);
  }

  /** Returns whether the task's block is where it should be, or cannot come there. */
  boolean isOver() {
    return own.isClosed()
        || run.job() > job // a task that Spark has given up
        || run.hasEndedJob(job)
        || own.isStuckIn(job)
        || (own.state() == orders.target() && !mustBegin(own));
  }

  /** Returns after how long a block may go on that waits for faces; 0 if none does. */
  long retryNanos() {
    return isOver()
        ? 0
        : LongStream.concat(
                run.all().stream().filter(HeldBlock::isWaiting).mapToLong(HeldBlock::waitNanos),
                fetching().mapToLong(HeldBlock::fetchNanos))
            .map(nanos -> Math.max(1, nanos))
            .min()
            .orElse(0);
  }

  /** Returns the move of a task that is done with others. */
  Optional<BlockMove> report() {
    return own.isIdle() ? Optional.of(BlockMove.of(MoveKind.REPORT, own)) : Optional.empty();
  }

  /** Cells of a later state cannot be taken back, and those before the source have no faces. */
  private boolean mustBegin(HeldBlock held) {
    boolean marks = orders.mark().field() != Orders.NONE;
    return held.isEmpty()
        || (orders.fresh() && held.loadingJob() != job)
        || held.state() < orders.schedule().first()
        || held.state() > orders.target()
        || (marks
            && held.state() > orders.mark().since()
            && held.markedState() != orders.mark().since());
  }

  private Optional<BlockMove> move(HeldBlock held) {
    if (held.use() != Use.NONE
        || held.isStuckIn(job)
        || held.waitNanos() > 0
        || mustBegin(held)
        || held.state() == orders.target()) {
      return Optional.empty();
    }
    return held.isFilled() ? step(held) : fill(held);
  }

  private Optional<BlockMove> fill(HeldBlock held) {
    List<HeldBlock> read = new ArrayList<>();
    for (int giver : neighbours(held).givers()) {
      HeldBlock beside = run.block(giver);
      if (beside == null || beside.isEmpty() || beside.state() > held.state()) {
        continue; // its face of this state may come otherwise
      }
      if (beside.state() < held.state() || beside.use() == Use.CHANGING) {
        return Optional.empty();
      }
      read.add(beside);
    }
    return Optional.of(new BlockMove(MoveKind.FILL, held, read, List.of()));
  }

  private Optional<BlockMove> step(HeldBlock held) {
    if (!held.isIdle()) {
      return Optional.empty();
    }
    List<Integer> late = new ArrayList<>();
    for (int taker : neighbours(held).takers()) {
      if (readsHere(held, taker)) {
        HeldBlock beside = run.block(taker);
        if (beside.state() < held.state()
            || (beside.state() == held.state() && !beside.isFilled())) {
          return Optional.empty(); // it has not read the cells yet
        }
      } else if (!held.givenTo().contains(taker)) {
        late.add(taker);
      }
    }
    return Optional.of(new BlockMove(MoveKind.STEP, held, List.of(), late));
  }

  /**
   * Returns the neighbours to which a block gives its faces: those that cannot read its cells here,
   * or all of them where all faces are kept.
   */
  List<Integer> takers(HeldBlock held) {
    return orders.schedule().keepsAll()
        ? neighbours(held).takers()
        : neighbours(held).takers().stream().filter(taker -> !readsHere(held, taker)).toList();
  }

  /** Returns whether a neighbour is, or will soon be, where it can read a block's cells. */
  private boolean readsHere(HeldBlock held, int taker) {
    HeldBlock beside = run.block(taker);
    return beside != null
        && !beside.isStuckIn(job)
        && (beside.isEmpty()
            ? held.state() == orders.schedule().first()
            : beside.state() >= held.state() - 1);
  }

  private Neighbours neighbours(HeldBlock held) {
    return held.attached(Neighbours.class, () -> Neighbours.of(model.plan(), held.block()));
  }

  /**
   * The neighbours of a block.
   *
   * @param givers the blocks whose cells its halo has
   * @param takers the blocks whose halos have its cells
   */
  private record Neighbours(List<Integer> givers, List<Integer> takers) {
    static Neighbours of(FacePlan plan, int block) {
      return new Neighbours(plan.extended(block).givers(), plan.takers(block));
    }
  }
}
