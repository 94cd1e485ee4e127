/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.program.Node;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.Update;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * When the operations of a stage run, as planes stream by. Time counts half planes: at {@code 2n} a
 * block has got the plane {@code n} planes after a cell's own, and each thread reads its own rows
 * of it; at {@code 2n + 1}, behind a barrier, rows of other warps can be read too. An operation
 * runs when its operands are there, or later. Running it early keeps its result instead of the
 * planes that it reads; the times are chosen so that little is kept.
 */
final class StageTimes {
  /** More operations than this run as late as they can: trying other times would take too long. */
  private static final int SEARCHED = 120;

  private static final int SWEEPS = 4;
  private static final int KEPT_WEIGHT = 64;

  private final StencilProgram program;
  private final ToIntFunction<Node.Tap> arrival;
  private final List<Integer> operations = new ArrayList<>();
  private final Map<Integer, List<Integer>> consumers = new HashMap<>();
  private final Set<Integer> roots = new HashSet<>();
  private final boolean[] moving;
  private final int[] earliest;
  private int[] times;

  /**
   * Chooses the times.
   *
   * @param arrival when the plane of a tap arrives, an even time
   */
  StageTimes(StencilProgram program, Stage stage, ToIntFunction<Node.Tap> arrival) {
    this.program = program;
    this.arrival = arrival;
    int nodes = program.nodes().size();
    moving = new boolean[nodes];
    earliest = new int[nodes];
    stage.updates().forEach(update -> roots.add(update.node()));
    stage.order().forEach(this::add);
    int[] eager = earliest.clone();
    int[] lazy = latest();
    if (operations.size() <= SEARCHED) {
      improve(eager);
      improve(lazy);
    }
    times = cost(eager) <= cost(lazy) ? eager : lazy;
  }

  private void add(int index) {
    Node node = program.nodes().get(index);
    if (node instanceof Node.Tap) {
      moving[index] = true;
    } else if (node.inputs().stream().anyMatch(input -> moving[input])) {
      moving[index] = true;
      operations.add(index);
      node.inputs().forEach(i -> consumers.computeIfAbsent(i, n -> new ArrayList<>()).add(index));
    }
    if (moving[index]) {
      int time = node instanceof Node.Tap tap ? ready(tap) : Integer.MIN_VALUE;
      for (int input : node.inputs()) {
        time = moving[input] ? Math.max(time, earliest[input]) : time;
      }
      boolean isResult = roots.contains(index) && !(node instanceof Node.Tap);
      earliest[index] = isResult ? Math.max(0, time) : time;
    }
  }

  /** Returns when a tap can be read. */
  private int ready(Node.Tap tap) {
    return arrival.applyAsInt(tap) + (tap.offset().get(1) == 0 ? 0 : 1);
  }

  private int[] latest() {
    int[] latest = earliest.clone();
    for (int i = operations.size() - 1; i >= 0; i--) {
      int index = operations.get(i);
      if (!roots.contains(index)) {
        latest[index] = upper(latest, index);
      }
    }
    return latest;
  }

  private int upper(int[] at, int index) {
    return consumers.get(index).stream().mapToInt(consumer -> at[consumer]).min().orElseThrow();
  }

  private int lower(int[] at, int index) {
    int time = Integer.MIN_VALUE;
    for (int input : program.nodes().get(index).inputs()) {
      if (program.nodes().get(input) instanceof Node.Tap) {
        time = Math.max(time, earliest[input]);
      } else if (moving[input]) {
        time = Math.max(time, at[input]);
      }
    }
    return time;
  }

  /** Moves operations one by one while that keeps less. */
  private void improve(int[] at) {
    int best = cost(at);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      int before = best;
      for (int index : operations) {
        best = roots.contains(index) ? best : improve(at, index, best);
      }
      if (best == before) {
        return;
      }
    }
  }

  private int improve(int[] at, int index, int costNow) {
    int best = costNow;
    int chosen = at[index];
    int upper = upper(at, index);
    for (int time = lower(at, index); time <= upper; time++) {
      at[index] = time;
      int cost = cost(at);
      if (cost < best) {
        best = cost;
        chosen = time;
      }
    }
    at[index] = chosen;
    return best;
  }

  /** Returns the half planes for which values are kept, and then the rows that are fetched. */
  private int cost(int[] at) {
    record Fetch(int field, boolean updated, int time) {}
    Map<List<Object>, Integer> planes = new HashMap<>();
    Set<Fetch> fetches = new HashSet<>();
    int kept = 0;
    for (int index : operations) {
      int last = roots.contains(index) ? 2 * planesUntil(at[index]) : at[index];
      for (int consumer : consumers.getOrDefault(index, List.of())) {
        last = Math.max(last, at[consumer]);
      }
      kept += last - at[index];
      for (int input : program.nodes().get(index).inputs()) {
        if (program.nodes().get(input) instanceof Node.Tap tap) {
          int age = at[index] - arrival.applyAsInt(tap);
          planes.merge(List.of(tap.field(), tap.updated()), age, Math::max);
          if (tap.offset().get(1) != 0 || tap.offset().get(2) != 0) {
            fetches.add(new Fetch(tap.field(), tap.updated(), age));
          }
        }
      }
    }
    kept += planes.values().stream().mapToInt(age -> age).sum();
    return kept * KEPT_WEIGHT + fetches.size();
  }

  private static int planesUntil(int time) {
    return -Math.floorDiv(-time, 2);
  }

  /** Returns the operations that depend on a tap, operands first. */
  List<Integer> operations() {
    return operations;
  }

  /** Returns whether a node depends on a tap. */
  boolean isMoving(int node) {
    return moving[node];
  }

  /** Returns when an operation runs. */
  int time(int operation) {
    return times[operation];
  }

  /** Returns when the result of an update is there. */
  int resultTime(Update update) {
    return moving[update.node()] ? Math.max(0, times[update.node()]) : 0;
  }

  /** Returns how many planes after a cell its result is a plane of the next stage. */
  int resultPlanes(Update update) {
    return planesUntil(resultTime(update));
  }

  /** Returns the last time at which an operation's value is read, without being a result. */
  int lastUse(int operation) {
    return consumers.getOrDefault(operation, List.of()).stream()
        .mapToInt(consumer -> times[consumer])
        .max()
        .orElse(times[operation]);
  }
}
