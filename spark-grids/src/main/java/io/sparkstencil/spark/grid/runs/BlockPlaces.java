/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.BlockHalves;
import io.sparkstencil.grid.GridBlocks;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Where the blocks of a run are, or should be, as executors come and go. */
final class BlockPlaces {
  /** What moving blocks may cost: a process that has just started is slow for some seconds. */
  private static final double WORTH_SECONDS = 4;

  private final String[] locations;
  private final int[] ranks;
  private Set<String> known;
  private boolean changed;

  /**
   * Gives each executor blocks that are neighbours, so that few faces leave it.
   *
   * @param executors preferred locations of tasks, at least one
   */
  BlockPlaces(GridBlocks blocks, List<String> executors) {
    BlockHalves halves = new BlockHalves(blocks, executors.size());
    locations = IntStream.of(halves.groups()).mapToObj(executors::get).toArray(String[]::new);
    ranks = halves.ranks();
    known = new HashSet<>(executors);
  }

  /** Returns an order of blocks in which those that are near each other are near. */
  int[] ranks() {
    return ranks;
  }

  /** Returns the executor of each block. */
  List<String> locations() {
    return List.of(locations);
  }

  /** Returns whether a block is elsewhere though the executor that should have it is there. */
  boolean isAstray(int block, String executor) {
    return !locations[block].equals(executor) && known.contains(locations[block]);
  }

  /** Notes where a block is. */
  void moved(int block, String executor) {
    locations[block] = executor;
  }

  /**
   * Notes which executors there are. The blocks of one that is gone are given, all together, to the
   * one with the fewest: so they take their supersteps again inside it, in one job.
   */
  void see(List<String> executors) {
    Set<String> now = new HashSet<>(executors);
    changed |= !known.equals(now);
    known = now;
    Map<String, Integer> loads = loads(executors);
    Map<String, String> heirs = new HashMap<>();
    for (int block = 0; block < locations.length; block++) {
      if (!now.contains(locations[block])) {
        locations[block] = heirs.computeIfAbsent(locations[block], gone -> leastLoaded(loads));
        loads.merge(locations[block], 1, Integer::sum);
      }
    }
  }

  /**
   * Spreads the blocks evenly again, once executors have come or gone, if that pays.
   *
   * @param left the supersteps that are to come
   * @param blockSeconds what one takes for each block of the executor that has the most
   * @return where blocks should move; they are {@link #moved} when they do
   */
  SortedMap<Integer, String> spread(long left, double blockSeconds) {
    SortedMap<Integer, String> moves = new TreeMap<>();
    Map<String, Integer> loads = loads(known.stream().sorted().toList());
    int most = most(loads);
    int even = (locations.length - 1) / loads.size() + 1;
    changed &= most > even;
    if (!changed || left * blockSeconds * (most - even) < WORTH_SECONDS) {
      return moves;
    }
    for (int block = locations.length - 1; block >= 0; block--) {
      if (loads.get(locations[block]) > even) {
        loads.merge(locations[block], -1, Integer::sum);
        moves.put(block, leastLoaded(loads));
        loads.merge(moves.get(block), 1, Integer::sum);
      }
    }
    changed = false;
    return moves;
  }

  /** Returns how many blocks the executor has that has the most. */
  int most() {
    return most(loads(known.stream().toList()));
  }

  private static int most(Map<String, Integer> loads) {
    return loads.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  private Map<String, Integer> loads(List<String> executors) {
    Map<String, Integer> loads = new LinkedHashMap<>();
    executors.forEach(executor -> loads.put(executor, 0));
    for (String location : locations) {
      loads.computeIfPresent(location, (same, load) -> load + 1);
    }
    return loads;
  }

  private static String leastLoaded(Map<String, Integer> loads) {
    return loads.entrySet().stream()
        .min(Comparator.comparingInt(Map.Entry::getValue))
        .orElseThrow()
        .getKey();
  }
}
