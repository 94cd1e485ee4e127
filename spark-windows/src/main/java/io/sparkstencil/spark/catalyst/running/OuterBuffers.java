/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.RunningState;
import io.sparkstencil.spark.catalyst.frames.StateMerger;
import io.sparkstencil.spark.catalyst.frames.StateSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * What is aggregated of all rows on either side of each unit.
 *
 * @param before the buffers of the rows before each unit, and of all
 * @param after those of the rows from each unit on, and of none
 */
record OuterBuffers(List<UnsafeRow> before, List<UnsafeRow> after) {

  /** Joins what is known of units. */
  static OuterBuffers of(StateSpec spec, List<UnitFacts> units) {
    StateMerger merger = spec.merger();
    List<UnsafeRow> before = new ArrayList<>();
    before.add(merger.state().buffers());
    for (UnitFacts each : units) {
      merger.add(each.state());
      before.add(merger.state().buffers());
    }
    List<UnsafeRow> after = new ArrayList<>();
    merger.clear();
    RunningState rest = merger.state();
    after.add(rest.buffers());
    for (int i = units.size() - 1; i >= 0; i--) {
      merger.clear();
      merger.add(units.get(i).state());
      merger.add(rest);
      rest = merger.state();
      after.add(rest.buffers());
    }
    Collections.reverse(after);
    return new OuterBuffers(before, after);
  }
}
