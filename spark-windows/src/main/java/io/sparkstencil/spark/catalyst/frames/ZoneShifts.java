/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneOffsetTransitionRule;
import java.time.zone.ZoneRules;
import java.util.LongSummaryStatistics;

/** How far the clocks of a time zone have ever been set apart. */
final class ZoneShifts {
  private ZoneShifts() {}

  /** Returns the difference of the largest and the smallest offset that a zone has had or gets. */
  static long largestMicros(ZoneId zone) {
    ZoneRules rules = zone.getRules();
    LongSummaryStatistics seconds = new LongSummaryStatistics();
    seconds.accept(rules.getOffset(Instant.MIN).getTotalSeconds());
    for (ZoneOffsetTransition each : rules.getTransitions()) {
      seconds.accept(each.getOffsetBefore().getTotalSeconds());
      seconds.accept(each.getOffsetAfter().getTotalSeconds());
    }
    for (ZoneOffsetTransitionRule each : rules.getTransitionRules()) {
      seconds.accept(each.getOffsetBefore().getTotalSeconds());
      seconds.accept(each.getOffsetAfter().getTotalSeconds());
    }
    return (seconds.getMax() - seconds.getMin()) * 1_000_000;
  }
}
