/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.frames.RunningState;
import io.sparkstencil.spark.catalyst.frames.StateCollector;
import io.sparkstencil.spark.catalyst.frames.StateMerger;
import io.sparkstencil.spark.catalyst.frames.StateSpec;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Finds the states of ranges, where these do not depend on the order of their rows. */
public final class RangeStates implements RangeFinder {
  /** States that all map tasks together may bring to the driver. */
  private static final long MOST_STATES = 1L << 19;

  private final SparkContext context;
  private final StateSpec spec;
  private RangeNotes<RunningState> notes; // null if nothing is found

  /** Prepares the search. */
  public RangeStates(SparkContext context, StateSpec spec) {
    this.context = context;
    this.spec = spec;
  }

  @Override
  public Factory finding(int maps, int ranges) {
    if (spec.ordered() || (long) maps * ranges > MOST_STATES) {
      return RangeFinder.nothing();
    }
    notes = new RangeNotes<>(context);
    StateSpec wanted = spec;
    return notes.noting(
        ranges,
        wanted.input().size(),
        () -> {
          Supplier<StateCollector> collectors = wanted.collectors();
          return () -> new Note(collectors.get());
        });
  }

  /** Tells whether the map tasks find the states. */
  public boolean findsStates() {
    return notes != null;
  }

  /** Returns the state of the ranges {@code [from, until)}, once the map tasks have run. */
  public RunningState state(int from, int until) {
    StateMerger merger = spec.merger();
    for (List<RunningState> map : notes.byMap()) {
      for (RunningState each : map.subList(from, until)) {
        if (each != null) {
          merger.add(each);
        }
      }
    }
    return merger.state();
  }

  /** Returns how many rows the ranges {@code [from, until)} have. */
  public long rows(int from, int until) {
    return notes.byMap().stream()
        .flatMap(map -> map.subList(from, until).stream())
        .filter(Objects::nonNull)
        .mapToLong(RunningState::rows)
        .sum();
  }

  private record Note(StateCollector collector) implements RangeNotes.Note<RunningState> {
    @Override
    public void add(OpenRows rows, UnsafeRow row) {
      if (collector.onlyCounts()) {
        collector.count(rows.rows());
        return;
      }
      for (int i = 0; i < rows.rows(); i++) {
        rows.point(row, i);
        collector.add(row);
      }
    }

    @Override
    public RunningState packed() {
      return collector.state();
    }
  }
}
