/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.shuffle.RangeExtent;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** Which units each task reads: its own, and of those beside them as many as its frames reach. */
public final class HaloPlan {
  private final SeriesReach reach;
  private final List<UnitFacts> units;
  private final OuterBuffers surroundings; // null if no frame is open
  private final Comparator<InternalRow> keys; // null if no frame reaches by keys
  private final List<int[]> runs = new ArrayList<>();
  private final List<UnitHalo> halos = new ArrayList<>();

  private HaloPlan(SeriesReach reach, List<UnitFacts> units, OuterBuffers surroundings) {
    this.reach = reach;
    this.units = units;
    this.surroundings = surroundings;
    this.keys = reach.range() == null ? null : reach.range().keys();
  }

  /**
   * Returns the plan of tasks that read nothing beside their own units.
   *
   * @param starts the first unit of each task, and the number of units
   */
  static HaloPlan ofOwn(int... starts) {
    HaloPlan plan = new HaloPlan(SeriesReach.NONE, List.of(), null);
    for (int i = 0; i + 1 < starts.length; i++) {
      plan.runs.add(new int[] {starts[i], starts[i + 1]});
      plan.halos.add(UnitHalo.none(starts[i + 1] - starts[i]));
    }
    return plan;
  }

  /**
   * Returns a plan. If the bounds of frames are not in the order of their rows, one task reads all:
   * what Spark's operator then makes of a row may depend on any row before it.
   *
   * @param starts the first unit of each task, and the number of units
   * @param units what is known of each unit
   * @param surroundings what is aggregated beside each; null if no frame is open
   */
  static HaloPlan of(
      SeriesReach reach, int[] starts, List<UnitFacts> units, OuterBuffers surroundings) {
    HaloPlan plan = new HaloPlan(reach, units, surroundings);
    RangeExtent all = plan.join(0, units.size());
    if (all.hasKeys() && !reach.range().isMonotone(all)) {
      return ofOwn(0, units.size());
    }
    for (int i = 0; i + 1 < starts.length; i++) {
      plan.add(starts[i], starts[i + 1]);
    }
    return plan;
  }

  /** Returns the units of each task as runs. */
  public int[][] runs() {
    return runs.toArray(int[][]::new);
  }

  /** Returns what these units are to each task. */
  public List<UnitHalo> halos() {
    return halos;
  }

  private RangeExtent join(int from, int until) {
    return units.subList(from, until).stream()
        .map(UnitFacts::extent)
        .reduce(RangeExtent.EMPTY, (a, b) -> a.and(b, keys));
  }

  private void add(int from, int until) {
    RangeExtent own = join(from, until);
    KeyInterval beside = own.hasKeys() ? reach.range().beside(own) : null;
    BitSet needed = new BitSet(units.size());
    if (own.rows() > 0) {
      addLeft(needed, from, beside);
      addRight(needed, until, beside);
    }
    needed.set(from, until);
    int first = needed.isEmpty() ? from : needed.nextSetBit(0);
    int end = Math.max(until, needed.length());
    if (reach.open()) { // what is aggregated beside lies before all that is read, and after it
      needed.set(first, end);
    }
    boolean ofRows = reach.isOfRows();
    BitSet left = needed.get(0, from);
    long rows = left.stream().mapToLong(unit -> units.get(unit).extent().rows()).sum();
    runs.add(runs(needed));
    halos.add(
        new UnitHalo(
            left.cardinality(),
            until - from,
            ofRows ? Math.max(0, rows - reach.before()) : 0,
            ofRows ? reach.after() : Long.MAX_VALUE,
            beside,
            isOfKeys(),
            surroundings == null ? null : surroundings.before().get(first),
            surroundings == null ? null : surroundings.after().get(end)));
  }

  /** Tells whether keys say which rows are needed. */
  private boolean isOfKeys() {
    return reach.range() != null
        && reach.before() == 0
        && reach.after() == 0
        && reach.values().isEmpty()
        && !reach.open();
  }

  private void addLeft(BitSet needed, int from, KeyInterval beside) {
    long rows = 0;
    ValueReach.Wanted values = new ValueReach.Wanted(reach.values(), ValueReach::before);
    for (int unit = from - 1; unit >= 0; unit--) {
      RangeExtent there = units.get(unit).extent();
      boolean keyed = beside != null && there.hasKeys();
      boolean warm = keyed && beside.isWarm(there.last(), keys);
      boolean passed = beside == null || (keyed && !warm && beside.isAfter(there.last(), keys));
      if (passed && rows >= reach.before() && values.isNone()) {
        return;
      }
      boolean framed = keyed && !passed && (reach.open() || !beside.isBefore(there.first(), keys));
      boolean valued = values.take(units.get(unit).state());
      needed.set(unit, warm || framed || valued || rows < reach.before());
      rows += there.rows();
    }
  }

  private void addRight(BitSet needed, int until, KeyInterval beside) {
    long rows = 0;
    ValueReach.Wanted values = new ValueReach.Wanted(reach.values(), ValueReach::after);
    for (int unit = until; unit < units.size(); unit++) {
      RangeExtent there = units.get(unit).extent();
      boolean keyed = beside != null && there.hasKeys();
      boolean passed = beside == null || (keyed && beside.isBefore(there.first(), keys));
      if (passed && rows >= reach.after() && values.isNone()) {
        return;
      }
      boolean framed = keyed && !passed && (reach.open() || !beside.isAfter(there.last(), keys));
      boolean valued = values.take(units.get(unit).state());
      needed.set(unit, framed || valued || rows < reach.after());
      rows += there.rows();
    }
  }

  private static int[] runs(BitSet units) {
    List<Integer> runs = new ArrayList<>();
    for (int from = units.nextSetBit(0); from >= 0; ) {
      int until = units.nextClearBit(from);
      runs.add(from);
      runs.add(until);
      from = units.nextSetBit(until);
    }
    return runs.stream().mapToInt(Integer::intValue).toArray();
  }
}
