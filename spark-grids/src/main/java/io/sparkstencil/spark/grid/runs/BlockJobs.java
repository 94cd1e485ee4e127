/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.catalyst.interop.GivenUpJob;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.catalyst.interop.PlacedRdd;
import io.sparkstencil.spark.catalyst.interop.StorageRdd;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.grid.tasks.BlockResult;
import io.sparkstencil.spark.grid.tasks.BlockTask;
import io.sparkstencil.spark.grid.tasks.FaceTickets.Wanted;
import io.sparkstencil.spark.grid.tasks.MissingFace;
import io.sparkstencil.spark.grid.tasks.Orders;
import io.sparkstencil.spark.grid.tasks.Places;
import io.sparkstencil.spark.grid.tasks.SnapshotAction;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.SerializableWritable;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;

/**
 * Runs jobs over blocks until each is where it should be, and brings lost blocks back.
 *
 * <p>Blocks that an executor has lost begin at the source, on all executors that are left, and take
 * their supersteps again in few jobs, with the faces that their neighbours have left and with those
 * of each other, which they wait for. Where these would not come, all of them begin on one
 * executor; if they are not together then, they take one job per superstep. If more faces are
 * missing, the blocks that gave them take the supersteps again, too. Nobody else computes anything
 * again. A job ends when only tasks of lost blocks are left, which Spark would have wait for
 * executors that are gone.
 */
final class BlockJobs {
  /** How often executors may be lost while one superstep is computed. */
  private static final int MOST_ATTEMPTS = 20;

  private static final long PAUSE_MILLIS = 100;

  private static final String DESCRIPTION = "spark.job.description";

  private final GridSpace space;
  private final StorageRdd kept;
  private final RunSchedule schedule;
  private final FaceBudget budget;
  private final JobPace pace;
  private final FaceOffers offers;
  private final BlockPlaces places;

  /** The numbers of the marks of blocks. */
  private final int[] marks;

  /** The last states that blocks have been in. */
  private final int[] reached;

  private int jobs;

  private boolean begun;

  /**
   * Creates jobs.
   *
   * @param kept the number of its RDD is that of the run
   * @param pace how long supersteps take
   */
  BlockJobs(
      GridSpace space, StorageRdd kept, RunSchedule schedule, FaceBudget budget, JobPace pace) {
    this.space = space;
    this.kept = kept;
    this.schedule = schedule;
    this.budget = budget;
    this.pace = pace;
    places = new BlockPlaces(space.grid().plan().blocks(), BlockBytes.executors(space.context()));
    offers = new FaceOffers(space, kept, schedule, places);
    marks = new int[space.blocks()];
    Arrays.fill(marks, Orders.NONE);
    reached = new int[space.blocks()];
  }

  /**
   * Returns how many supersteps one job may take: several if one executor has all blocks, or if the
   * tasks of all executors can wait for each other's faces, as they run where their blocks are.
   */
  int mostSupersteps() {
    boolean alone = locations().stream().distinct().count() == 1;
    return alone || !schedule.keepsAll() ? offers.mostSupersteps() : 1;
  }

  /** Returns whether one executor has some blocks. */
  private boolean areTogether(Collection<Integer> blocks) {
    return blocks.stream().map(locations()::get).distinct().count() == 1;
  }

  /** Returns how many blocks the executor has that has the most. */
  int mostBlocks() {
    return Math.max(1, places.most());
  }

  /** Returns where blocks are, or should be. */
  List<String> locations() {
    return places.locations();
  }

  /**
   * Spreads blocks over executors that have come, or are left, if it pays. Blocks take their cells
   * with them, so that no superstep is taken again. All must be in the last state.
   *
   * @param source where lost blocks begin
   * @param left the supersteps that are to come
   */
  void spread(JavaRDD<FirstCells> source, long left) {
    SortedMap<Integer, String> moves = places.spread(left, pace.blockSeconds());
    if (moves.isEmpty()) {
      return;
    }
    List<Integer> blocks = List.copyOf(moves.keySet());
    if (budget.isExceededBy(offers.keptBy(blocks))) { // copies of what blocks leave behind
      schedule.giveUpBefore(schedule.last());
      budget.removedBefore(schedule.last());
    }
    JavaRDD<SerializableWritable<Packed<FirstCells>>> cells =
        Packed.kept(
            PlacedRdd.of(
                source,
                locations(),
                (context, block, first) -> new FirstCells.Gone(),
                FirstCells.class),
            StorageLevel.MEMORY_AND_DISK());
    try {
      SnapshotAction leaving = new SnapshotAction(cells.id(), space.grid().fields(), true);
      perform(source, Orders.to(schedule.snapshot(), schedule.last()).doing(leaving), blocks);
      moves.forEach(places::moved);
      if (offers.arePushed()) { // faces of this state, to where the blocks were
        offers.offer(source, moves.keySet(), new Wanted(schedule.last(), Wanted.ALL, Set.of()));
      }
      // those that do not arrive are lost, and begin at the source in the next job
      job(cells.map(Packed::open), Orders.to(schedule.fromLast(), schedule.last()), blocks);
    } finally {
      cells.unpersist(false);
    }
  }

  /**
   * Runs jobs until all blocks have done as ordered.
   *
   * @param blocks their numbers
   * @param source where lost blocks begin
   * @return their results, in the order of blocks
   */
  List<BlockResult> perform(JavaRDD<FirstCells> source, Orders given, List<Integer> blocks) {
    Orders orders = given.awaitingFaces();
    BlockResult[] done = new BlockResult[marks.length];
    Set<Integer> pending = new TreeSet<>(blocks);
    Set<MissingFace> brought = new HashSet<>();
    int attempt = 0;
    while (!pending.isEmpty()) {
      requireAttempt(attempt);
      List<BlockResult> results = job(source, orders, pending);
      Set<Integer> lost = new TreeSet<>(pending);
      results.forEach(result -> lost.remove(result.block()));
      pending.clear();
      pending.addAll(lost);
      Set<MissingFace> missing = new HashSet<>();
      for (BlockResult result : results) {
        done[result.block()] = result;
        if (result.state() != orders.target()) {
          pending.add(result.block());
          missing.addAll(result.missing());
        }
      }
      boolean still = results.stream().noneMatch(BlockResult::hasMoved);
      attempt += still || !lost.isEmpty() ? 1 : 0;
      if (!pending.isEmpty() && lost.isEmpty() && still) {
        pause();
      }
      missing.removeIf(
          face -> results.stream().anyMatch(result -> result.hasPut(face) || result.willPut(face)));
      if (lost.isEmpty()
          && !missing.isEmpty()
          && (offers.arePushed() || (offers.areUsed() && !schedule.hasGivenUp()))
          && brought.addAll(missing)) {
        offers.bring(source, missing, FaceOffers.missing(results));
      } else if (!missing.isEmpty() || !lost.isEmpty()) {
        int last = Math.min(orders.target() - 1, lowest(results));
        Set<Integer> repaired = repair(source, orders, last, lost, missing);
        orders = orders.with(schedule.snapshot());
        repaired.retainAll(blocks);
        pending.addAll(repaired);
      }
    }
    begun = true;
    return blocks.stream().map(block -> done[block]).toList();
  }

  /** Returns the earliest state of blocks: they have put their faces of all states up to there. */
  private int lowest(List<BlockResult> results) {
    return results.stream()
        .mapToInt(BlockResult::state)
        .filter(state -> state >= schedule.first())
        .min()
        .orElse(Integer.MAX_VALUE);
  }

  /** Lets executors find out what they hold that nobody wants any more. */
  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted while jobs of a grid run", e);
  }

  private static void requireAttempt(int attempt) {
    if (attempt > MOST_ATTEMPTS) {
      throw new StencilException(
          ErrorCode.INTERNAL,
          "blocks of a grid were lost %d times during one superstep; see why executors end, or use a smaller grid per executor"
              .formatted(attempt));
    }
  }

  /**
   * Brings back blocks that are lost, and faces that are missing; returns the blocks that were
   * computed again.
   *
   * @param last the state up to which they are
   */
  private Set<Integer> repair(
      JavaRDD<FirstCells> source,
      Orders given,
      int last,
      Collection<Integer> lost,
      Collection<MissingFace> first) {
    Orders orders = given;
    Set<Integer> again = new TreeSet<>(lost);
    Set<MissingFace> missing = new HashSet<>(first);
    Set<Integer> copied = new HashSet<>();
    boolean atOnce = true;
    boolean done = false;
    for (int attempt = 0; !done; attempt++) {
      requireAttempt(attempt - 2 * marks.length);
      Set<MissingFace> kept = new HashSet<>(missing);
      kept.removeIf(face -> again.contains(face.block()) || copied.contains(face.block()));
      if (schedule.hasGivenUp()) {
        IntStream.range(0, marks.length).forEach(again::add);
      } else if (offers.areUsed() && !again.isEmpty() && !kept.isEmpty()) {
        kept.forEach(face -> copied.add(face.block()));
      } else {
        missing.forEach(face -> again.add(face.block()));
      }
      if (again.size() == marks.length) {
        schedule.restore();
        orders = orders.with(schedule.snapshot());
      }
      if (again.size() > 1) {
        space.counters().repair();
      }
      missing.clear();
      done = replay(source, orders, last, again, copied, atOnce, missing);
      // together, blocks find each other's faces; if they do not, Spark has run tasks elsewhere
      atOnce = missing.stream().noneMatch(face -> again.contains(face.block()));
    }
    return again;
  }

  /**
   * Has blocks begin again, and brings them up to a state: part by part if they are together, or
   * wait for each other, as block managers have room for what they need of the others and as tasks
   * of the same executor have to wait for its cores, else in one job per superstep.
   *
   * @param last the state
   * @param copied the blocks whose faces are copied, as they were not found
   * @param atOnce whether one job may do
   * @param missing gets the faces that were not found
   * @return whether no block and no face was missing
   */
  private boolean replay(
      JavaRDD<FirstCells> source,
      Orders orders,
      int last,
      Set<Integer> again,
      Set<Integer> copied,
      boolean atOnce,
      Set<MissingFace> missing) {
    offers.look();
    int part = Math.min(budget.statesFor(again, locations()), pace.atOnce(places.mostOf(again)));
    part = Math.min(part, offers.mostSupersteps());
    int state = schedule.first();
    int offered = state; // the faces of earlier states are within reach
    Set<MissingFace> brought = new HashSet<>();
    while (state <= last) {
      boolean meets = atOnce && offers.canMeet() && !areTogether(again);
      boolean begins = state == schedule.first(); // what is pushed to cells of before is lost
      Orders next = orders.onTheWayTo(state).fromTheSource(begins);
      List<BlockResult> results =
          job(source, meets && !begins ? next.awaitingFaces(again) : next, again);
      missing.addAll(FaceOffers.lacking(results));
      if (results.size() < again.size()) {
        missing.removeIf(face -> again.contains(face.block())); // who is lost gives none
        return false;
      }
      if (meets && again.containsAll(FaceOffers.givers(missing)) && brought.addAll(missing)) {
        offers.bring(source, missing, FaceOffers.missing(results)); // some were too late
        missing.clear();
        continue;
      }
      if (!missing.isEmpty()) {
        return false;
      }
      if (state >= offered) {
        offered = part > last - state ? Wanted.ALL : state + part;
        offers.offer(source, again, new Wanted(state, offered, copied));
      }
      boolean goesOn = meets || (atOnce && areTogether(again));
      state = goesOn ? Math.max(state + 1, Math.min(last, offered)) : state + 1;
    }
    return true;
  }

  private List<BlockResult> job(
      JavaRDD<FirstCells> source, Orders orders, Collection<Integer> blocks) {
    offers.look();
    Places where = Places.of(locations(), places.ranks(), offers.readers(locations()));
    JavaRDD<BlockResult> rdd =
        PlacedRdd.of(
            source,
            kept,
            locations(),
            new BlockTask(space.model(), kept.id(), jobs++, orders, where),
            BlockResult.class);
    int[] partitions = blocks.stream().mapToInt(Integer::intValue).toArray();
    List<BlockResult> results;
    long start = System.nanoTime();
    SparkContext context = space.context();
    String before = context.getLocalProperty(DESCRIPTION);
    context.setLocalProperty(DESCRIPTION, orders.describe(blocks.size()));
    try {
      results =
          GivenUpJob.collect(rdd.rdd(), partitions, offers::isLost).stream()
              .filter(Objects::nonNull)
              .toList();
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      context.setLocalProperty(DESCRIPTION, before);
    }
    space.counters().job(System.nanoTime() - start, results);
    boolean replays = orders.target() < schedule.last();
    boolean moves = orders.schedule().first() > schedule.first();
    for (BlockResult result : results) {
      moved(result);
      offers.see(result);
      budget.add(schedule.last(), result.location(), result.cost().log().hostBytes());
      if (result.cost().log().gaveUp()) {
        schedule.giveUp();
      }
      int gained = Math.max(0, result.state() - reached[result.block()]);
      reached[result.block()] += gained;
      space.counters().add(result, gained, moves || (!begun && !replays));
      result.samples().forEach(space.samples()::add);
      space.watch().hear(result);
    }
    return results;
  }

  /** Notes where a block is; a copy that it has left elsewhere is dropped there. */
  private void moved(BlockResult result) {
    int block = result.block();
    if (places.isMisplaced(block, result.location())) {
      schedule.keepAll();
    }
    places.moved(block, result.location());
    if (marks[block] != Orders.NONE && marks[block] != result.mark()) {
      BlockBytes.remove(space.context(), kept.id(), marks[block]);
    }
    marks[block] = result.mark();
  }
}
