/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where the blocks of a run are, or should be, as executors come and go. */
final class BlockPlaces {
  private final String[] locations;
  private Set<String> known;
  private boolean grown;

  /**
   * Gives each executor blocks that are neighbours, so that few faces leave it.
   *
   * @param executors preferred locations of tasks, at least one
   */
  BlockPlaces(int blocks, List<String> executors) {
    locations = new String[blocks];
    known = new HashSet<>(executors);
    Arrays.setAll(locations, i -> executors.get((int) ((long) i * executors.size() / blocks)));
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
   * Notes which executors there are. Blocks of those that are gone are given to those with the
   * fewest, as tasks would wait for executors that never come back.
   */
  void see(List<String> executors) {
    Set<String> now = new HashSet<>(executors);
    grown |= !known.containsAll(now);
    known = now;
    Map<String, Integer> loads = loads(executors);
    for (int block = 0; block < locations.length; block++) {
      if (!now.contains(locations[block])) {
        locations[block] = leastLoaded(loads);
        loads.merge(locations[block], 1, Integer::sum);
      }
    }
  }

  /**
   * Spreads the blocks evenly again, once executors have come, if that pays: a block that moves
   * takes supersteps again while the others wait, and later supersteps are faster.
   *
   * @param replayed the supersteps that a block takes again
   * @param left the supersteps that are to come
   */
  void spread(long replayed, long left) {
    if (!grown) {
      return;
    }
    Map<String, Integer> loads = loads(known.stream().sorted().toList());
    int most = loads.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    int even = (locations.length - 1) / loads.size() + 1;
    int least = loads.values().stream().mapToInt(Integer::intValue).min().orElse(0);
    if (most <= even) {
      grown = false;
      return;
    }
    if (left * (most - even) <= replayed * (even - least)) {
      return;
    }
    for (int block = locations.length - 1; block >= 0; block--) {
      if (loads.get(locations[block]) > even) {
        loads.merge(locations[block], -1, Integer::sum);
        locations[block] = leastLoaded(loads);
        loads.merge(locations[block], 1, Integer::sum);
      }
    }
    grown = false;
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
