/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.catalyst.interop.Collected;
import io.sparkstencil.spark.catalyst.interop.PlacedRdd;
import io.sparkstencil.spark.grid.tasks.BlockCells;
import io.sparkstencil.spark.grid.tasks.BlockResult;
import io.sparkstencil.spark.grid.tasks.BlockTask;
import io.sparkstencil.spark.grid.tasks.MissingFace;
import io.sparkstencil.spark.grid.tasks.Orders;
import io.sparkstencil.spark.grid.tasks.Schedule;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;

/**
 * Runs jobs over blocks until each is where it should be, and brings lost blocks back.
 *
 * <p>A block that an executor has lost begins at the source, and takes its supersteps again with
 * the faces that its neighbours have left. If these faces are lost, too, the blocks that gave them
 * take the supersteps again together, one job per superstep, and leave their faces; more blocks
 * join them if more faces are missing. Nobody else computes anything again.
 */
final class BlockJobs {
  /** How often executors may be lost while one superstep is computed. */
  private static final int MOST_ATTEMPTS = 20;

  private static final long PAUSE_MILLIS = 100;

  private static final String DESCRIPTION = "spark.job.description";

  private final GridSpace space;
  private final int run;
  private final RunSchedule schedule;
  private final BlockPlaces places;

  /** The numbers of the marks of blocks. */
  private final int[] marks;

  /** The last states that blocks have been in. */
  private final int[] reached;

  private int jobs;

  private boolean begun;

  BlockJobs(GridSpace space, int run, RunSchedule schedule) {
    this.space = space;
    this.run = run;
    this.schedule = schedule;
    places = new BlockPlaces(space.blocks(), BlockBytes.executors(space.context()));
    marks = new int[space.blocks()];
    Arrays.fill(marks, Orders.NONE);
    reached = new int[space.blocks()];
  }

  /** Returns whether one executor has all blocks, so that no face has to leave it. */
  boolean areTogether() {
    return locations().stream().distinct().count() == 1;
  }

  /** Returns where blocks are, or should be. */
  List<String> locations() {
    return places.locations();
  }

  /**
   * Spreads blocks over executors that have come, if it pays.
   *
   * @param left the supersteps that are to come
   */
  void spread(long left) {
    if (!schedule.hasGivenUp()) {
      places.spread(schedule.last() - schedule.first(), left);
    }
  }

  /**
   * Runs jobs until all blocks have done as ordered.
   *
   * @param blocks their numbers
   * @param source where lost blocks begin
   * @return their results, in the order of blocks
   */
  List<BlockResult> perform(JavaRDD<BlockCells> source, Orders given, List<Integer> blocks) {
    Orders orders = given;
    BlockResult[] done = new BlockResult[marks.length];
    Set<Integer> pending = new TreeSet<>(blocks);
    for (int attempt = 0; !pending.isEmpty(); attempt++) {
      requireAttempt(attempt);
      List<BlockResult> results = job(source, orders, pending);
      pending.clear();
      Set<MissingFace> missing = new HashSet<>();
      for (BlockResult result : results) {
        done[result.block()] = result;
        if (result.state() != orders.target()) {
          pending.add(result.block());
          missing.addAll(result.missing());
        }
      }
      if (!pending.isEmpty() && results.stream().noneMatch(BlockJobs::hasMoved)) {
        pause();
      }
      missing.removeIf(face -> results.stream().anyMatch(result -> hasPut(result, face)));
      if (!missing.isEmpty()) {
        Set<Integer> repaired = repair(source, orders, missing);
        orders = orders.with(schedule.snapshot());
        repaired.retainAll(blocks);
        pending.addAll(repaired);
      }
    }
    begun = true;
    return blocks.stream().map(block -> done[block]).toList();
  }

  /** Returns whether a face that was missing has been put meanwhile by a task of the same job. */
  private static boolean hasPut(BlockResult result, MissingFace face) {
    int from = result.loaded() ? Schedule.COEFFICIENTS : result.state() - result.supersteps() + 1;
    return result.block() == face.block() && face.state() >= from && face.state() <= result.state();
  }

  private static boolean hasMoved(BlockResult result) {
    return result.loaded() || result.supersteps() > 0;
  }

  /** Lets executors find out what they hold that nobody wants any more. */
  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while blocks of a grid are brought back", e);
    }
  }

  private static void requireAttempt(int attempt) {
    if (attempt > MOST_ATTEMPTS) {
      throw new StencilException(
          ErrorCode.INTERNAL,
          "blocks of a grid were lost %d times during one superstep; see why executors end, or use a smaller grid per executor"
              .formatted(attempt));
    }
  }

  /** Brings back faces; returns the blocks that were computed again, up to before the target. */
  private Set<Integer> repair(
      JavaRDD<BlockCells> source, Orders given, Collection<MissingFace> first) {
    Orders orders = given;
    Set<Integer> again = new TreeSet<>();
    Collection<MissingFace> missing = first;
    for (int attempt = 0; !missing.isEmpty(); attempt++) {
      requireAttempt(attempt - marks.length);
      missing.forEach(face -> again.add(face.block()));
      if (missing.stream().anyMatch(face -> schedule.isGivenUp(face.state()))) {
        IntStream.range(0, marks.length).forEach(again::add);
      }
      if (again.size() == marks.length) {
        schedule.restore();
        orders = orders.with(schedule.snapshot());
      }
      space.counters().repair();
      missing = inLockstep(source, orders, again);
    }
    return again;
  }

  private List<MissingFace> inLockstep(
      JavaRDD<BlockCells> source, Orders orders, Set<Integer> again) {
    for (int state = schedule.first(); state < orders.target(); state++) {
      Orders next = orders.onTheWayTo(state).fromTheSource(state == schedule.first());
      List<MissingFace> missing =
          job(source, next, again).stream()
              .flatMap(result -> result.missing().stream())
              .distinct()
              .toList();
      if (!missing.isEmpty()) {
        return missing;
      }
    }
    return List.of();
  }

  private List<BlockResult> job(
      JavaRDD<BlockCells> source, Orders orders, Collection<Integer> blocks) {
    places.see(BlockBytes.executors(space.context()));
    JavaRDD<BlockResult> rdd =
        PlacedRdd.of(
            source,
            locations(),
            new BlockTask(space.model(), run, jobs++, orders),
            BlockResult.class);
    int[] partitions = blocks.stream().mapToInt(Integer::intValue).toArray();
    List<BlockResult> results;
    SparkContext context = space.context();
    String before = context.getLocalProperty(DESCRIPTION);
    context.setLocalProperty(DESCRIPTION, description(orders, blocks.size()));
    try {
      results = Collected.of(rdd.rdd(), partitions);
    } finally {
      context.setLocalProperty(DESCRIPTION, before);
    }
    space.counters().job();
    boolean replays = orders.target() < schedule.last();
    for (BlockResult result : results) {
      moved(result);
      int gained = Math.max(0, result.state() - reached[result.block()]);
      reached[result.block()] += gained;
      space.counters().add(result, gained, !begun && !replays);
      result.samples().forEach(space.samples()::add);
    }
    return results;
  }

  /** Notes where a block is; a copy that it has left elsewhere is dropped there. */
  private void moved(BlockResult result) {
    int block = result.block();
    if (places.isAstray(block, result.location())) {
      schedule.keepAll();
    }
    places.moved(block, result.location());
    if (marks[block] != Orders.NONE && marks[block] != result.mark()) {
      BlockBytes.remove(space.context(), run, marks[block]);
    }
    marks[block] = result.mark();
  }

  private static String description(Orders orders, int blocks) {
    Schedule schedule = orders.schedule();
    long to = schedule.stepsUpTo(orders.target());
    if (orders.action() != null || orders.target() == schedule.first()) {
      return "grid after %d steps: %d blocks".formatted(to, blocks);
    }
    return "grid, steps up to %d: %d blocks".formatted(to, blocks);
  }
}
