/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.BlockHalves;
import io.sparkstencil.grid.GridBlocks;
import java.util.BitSet;
import java.util.Collection;
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
  private final BitSet guests = new BitSet(); // blocks that were given to heirs
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

  /** Returns whether Spark has run a task elsewhere, though the executor of its block is there. */
  boolean isMisplaced(int block, String executor) {
    return !locations[block].equals(executor) && known.contains(locations[block]);
  }

  /** Notes where a block is. */
  void moved(int block, String executor) {
    locations[block] = executor;
  }

  /**
   * Notes which executors there are. Blocks of those that are gone are given to heirs, which have
   * them take their supersteps again.
   *
   * @param apart whether blocks of one executor may have many heirs, those with the fewest blocks,
   *     as they can wait for each other's faces; else one heir takes them all, so that they are
   *     together
   */
  void see(List<String> executors, boolean apart) {
    Set<String> now = new HashSet<>(executors);
    changed |= !known.equals(now);
    known = now;
    List<Integer> lost =
        IntStream.range(0, locations.length)
            .filter(block -> !now.contains(locations[block]))
            .boxed()
            .sorted(Comparator.comparingInt(block -> ranks[block]))
            .toList();
    if (apart) {
      share(lost, loads(executors));
    } else {
      leave(lost, loads(executors));
    }
    lost.forEach(guests::set);
  }

  /** Gives each executor of those with the fewest blocks some that are near each other. */
  private void share(List<Integer> lost, Map<String, Integer> loads) {
    Map<String, Integer> parts = new LinkedHashMap<>();
    for (int i = 0; i < lost.size(); i++) {
      String heir = leastLoaded(loads);
      loads.merge(heir, 1, Integer::sum);
      parts.merge(heir, 1, Integer::sum);
    }
    int next = 0;
    for (Map.Entry<String, Integer> part : parts.entrySet()) {
      int end = next + part.getValue();
      lost.subList(next, end).forEach(block -> locations[block] = part.getKey());
      next = end;
    }
  }

  private void leave(List<Integer> lost, Map<String, Integer> loads) {
    Map<String, String> heirs = new HashMap<>();
    for (int block : lost) {
      locations[block] = heirs.computeIfAbsent(locations[block], gone -> leastLoaded(loads));
      loads.merge(locations[block], 1, Integer::sum);
    }
  }

  /**
   * Spreads the blocks evenly again, once executors have come or gone, if that pays. Those that
   * heirs have got go first to an executor without any, so that neighbours come together again.
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
    boolean come = loads.containsValue(0);
    List<Integer> order =
        IntStream.range(0, locations.length)
            .boxed()
            .sorted(
                Comparator.comparing((Integer block) -> come && !guests.get(block))
                    .thenComparing(Comparator.reverseOrder()))
            .toList();
    for (int block : order) {
      if (loads.getOrDefault(locations[block], 0) > even) { // one that came just now is not known
        loads.merge(locations[block], -1, Integer::sum);
        moves.put(block, leastLoaded(loads));
        loads.merge(moves.get(block), 1, Integer::sum);
        guests.clear(block);
      }
    }
    changed = false;
    return moves;
  }

  /** Returns how many blocks the executor has that has the most. */
  int most() {
    return most(loads(known.stream().toList()));
  }

  /** Returns how many of some blocks the executor has that has the most of them. */
  int mostOf(Collection<Integer> blocks) {
    Map<String, Integer> counts = new HashMap<>();
    blocks.forEach(block -> counts.merge(locations[block], 1, Integer::sum));
    return most(counts);
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
