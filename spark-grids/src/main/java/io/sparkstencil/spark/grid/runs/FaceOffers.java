/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.catalyst.interop.GivenUpJob;
import io.sparkstencil.spark.catalyst.interop.PlacedRdd;
import io.sparkstencil.spark.catalyst.interop.StorageRdd;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.grid.tasks.BlockResult;
import io.sparkstencil.spark.grid.tasks.FaceTickets;
import io.sparkstencil.spark.grid.tasks.FaceTickets.Wanted;
import io.sparkstencil.spark.grid.tasks.MissingFace;
import io.sparkstencil.spark.grid.tasks.Places;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaRDD;

/**
 * Which blocks read the faces that blocks of other processes of their host share, so that nobody
 * needs them elsewhere; and jobs that bring faces which are kept where they are within reach of
 * blocks that come back.
 */
final class FaceOffers {
  private final GridSpace space;
  private final StorageRdd kept;
  private final RunSchedule schedule;
  private final BlockPlaces places;
  private final BitSet onDevices = new BitSet();
  private final Set<Pair> proven = new HashSet<>();
  private final Map<Integer, Long> keptBytes = new HashMap<>(); // of each block
  private boolean pushes;
  private List<List<Integer>> givers; // of each block; null before they are needed

  /** One executor that has read faces in the memory of another. */
  private record Pair(String reader, String giver) {}

  /**
   * Creates offers of a run.
   *
   * @param kept the number of its RDD is that of the run
   */
  FaceOffers(GridSpace space, StorageRdd kept, RunSchedule schedule, BlockPlaces places) {
    this.space = space;
    this.kept = kept;
    this.schedule = schedule;
    this.places = places;
  }

  /** Learns where a block is, and what it has read. */
  void see(BlockResult result) {
    pushes |= result.cost().log().pushes();
    onDevices.set(result.block(), result.cost().deviceBytes() > 0);
    keptBytes.put(result.block(), result.cost().log().deviceBytes());
    result.cost().log().readFrom().forEach(giver -> proven.add(new Pair(result.location(), giver)));
  }

  /** Returns the bytes of faces that executors keep near the fields of some blocks. */
  Map<String, Long> keptBy(Collection<Integer> blocks) {
    return blocks.stream()
        .collect(
            Collectors.groupingBy(
                places.locations()::get,
                Collectors.summingLong(block -> keptBytes.getOrDefault(block, 0L))));
  }

  /** Returns whether some faces are logged where only their executor knows of them. */
  boolean areUsed() {
    return !proven.isEmpty() || pushes;
  }

  /**
   * Returns whether blocks that come back on several executors get each other's faces there, so
   * that they take many supersteps in a job.
   */
  boolean canMeet() {
    return areUsed() && !schedule.keepsAll();
  }

  /** Looks which executors there are. */
  void look() {
    places.see(BlockBytes.executors(space.context()), canMeet());
  }

  /** Returns whether faces are pushed, the latest of which are kept whatever is logged. */
  boolean arePushed() {
    return pushes;
  }

  /**
   * Returns how many supersteps a job may take: where a block gives faces to one that it takes none
   * of, it may be so far ahead.
   */
  int mostSupersteps() {
    FacePlan plan = space.grid().plan();
    StepReach reach = plan.reach();
    for (int axis = 0; areUsed() && axis < plan.blocks().dimensions(); axis++) {
      boolean low = reach.low().get(axis) > 0;
      if (plan.blocks().parts(axis) > 1 && low != reach.high().get(axis) > 0) {
        return Places.MOST_AHEAD;
      }
    }
    return Integer.MAX_VALUE;
  }

  /** Returns the blocks that are known to read all that is shared with them. */
  BitSet readers(List<String> locations) {
    BitSet readers = new BitSet();
    if (!proven.isEmpty()) {
      for (int block = 0; block < locations.size(); block++) {
        readers.set(block, onDevices.get(block) && reads(block, locations));
      }
    }
    return readers;
  }

  private boolean reads(int block, List<String> locations) {
    String here = locations.get(block);
    return giversTo(block).stream()
        .map(locations::get)
        .filter(there -> Places.areBeside(there, here))
        .allMatch(there -> proven.contains(new Pair(here, there)));
  }

  private List<Integer> giversTo(int block) {
    if (givers == null) {
      givers = new ArrayList<>();
      for (int each = 0; each < space.blocks(); each++) {
        givers.add(space.grid().plan().extended(each).givers());
      }
    }
    return givers.get(block);
  }

  /** Returns whether the executor is gone that had a block when the job began. */
  boolean isLost(int block) {
    return !BlockBytes.executors(space.context()).contains(places.locations().get(block));
  }

  /** Returns the blocks that give some faces. */
  static Set<Integer> givers(Collection<MissingFace> missing) {
    return missing.stream().map(MissingFace::block).collect(Collectors.toSet());
  }

  /** Returns the blocks that miss faces. */
  static Set<Integer> missing(List<BlockResult> results) {
    return results.stream()
        .filter(result -> !result.missing().isEmpty())
        .map(BlockResult::block)
        .collect(Collectors.toSet());
  }

  /**
   * Returns the faces that blocks miss, but for those of blocks that are not so far because they
   * miss others themselves.
   */
  static Set<MissingFace> lacking(List<BlockResult> results) {
    Set<MissingFace> lacking = new HashSet<>();
    results.forEach(result -> lacking.addAll(result.missing()));
    lacking.removeIf(
        face ->
            results.stream()
                .anyMatch(result -> !result.missing().isEmpty() && result.willPut(face)));
    return lacking;
  }

  /**
   * Has blocks put faces into the block managers, where anybody finds them, as far as they keep
   * them: some blocks cannot read what is shared.
   *
   * @param missing the faces, and later ones of the same blocks
   * @param takers the blocks that miss them
   */
  void bring(JavaRDD<FirstCells> source, Collection<MissingFace> missing, Set<Integer> takers) {
    Set<Integer> givers = givers(missing);
    int from = missing.stream().mapToInt(MissingFace::state).min().orElse(0);
    run(source, givers, takers, new Wanted(from, Wanted.ALL, givers));
  }

  /**
   * Has blocks say where they keep faces for some that come back, or copy them to the block
   * managers where these find them no other way.
   */
  void offer(JavaRDD<FirstCells> source, Set<Integer> takers, Wanted wanted) {
    Set<Integer> givers = new TreeSet<>();
    takers.forEach(block -> givers.addAll(giversTo(block)));
    givers.removeAll(takers);
    run(source, givers, takers, wanted);
  }

  private void run(
      JavaRDD<FirstCells> source, Set<Integer> givers, Set<Integer> takers, Wanted wanted) {
    if (!areUsed() || givers.isEmpty()) {
      return;
    }
    look();
    FaceTickets work =
        new FaceTickets(space.model(), kept.id(), schedule.snapshot(), takers, wanted);
    JavaRDD<Integer> rdd = PlacedRdd.of(source, kept, places.locations(), work, Integer.class);
    int[] blocks = givers.stream().mapToInt(Integer::intValue).sorted().toArray();
    try {
      GivenUpJob.collect(rdd.rdd(), blocks, this::isLost);
    } catch (InterruptedException e) {
      throw BlockJobs.interrupted(e);
    }
    space.counters().job();
  }
}
