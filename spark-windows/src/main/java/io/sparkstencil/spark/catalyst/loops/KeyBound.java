/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.columns.WordType;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/** The bound of the frame of one row after the other. Used by one thread. */
final class KeyBound {
  private final KeyStep step;
  private final boolean known; // whether a number is added
  private final long added;
  private final double real;
  private final int unusedBits; // of sums
  private final ZoneRules rules; // null if clocks do not matter
  private long sameFrom; // clocks do not change from here
  private long sameUntil; // to here
  private long value;
  private boolean none;

  KeyBound(KeyStep step) {
    this.step = step;
    this.known = step.added() != null;
    this.added = known ? step.added().longValue() : 0;
    this.real = known ? step.added().doubleValue() : 0;
    this.unusedBits = Long.SIZE - step.bits();
    ZoneRules ofZone = step.zone().equals(ZoneOffset.UTC) ? null : step.zone().getRules();
    this.rules = ofZone == null || ofZone.isFixedOffset() ? null : ofZone;
  }

  /** Returns the bound, as keys are ordered. */
  long value() {
    return value;
  }

  /** Tells whether the bound is null. */
  boolean isNull() {
    return none;
  }

  /** Sets the bound of a row that has no key. */
  void setNull() {
    none = true;
  }

  /**
   * Adds to an integer.
   *
   * @return whether that is the bound; else it is to be evaluated
   */
  boolean add(long key) {
    none = false;
    value = key + added;
    boolean overflows =
        ((key ^ value) & (added ^ value)) < 0 || value << unusedBits >> unusedBits != value;
    return known && !overflows && (rules == null || hasSameClocks(key));
  }

  /** Tells whether sums are the bounds of all integers from one to another, or back. */
  boolean isSumBetween(long one, long other) {
    return add(one) // first, as what is known of clocks is to stay that of the one
        && (rules == null || (other >= sameFrom && other < sameUntil))
        && add(other);
  }

  /** Returns what is added to integers. */
  long added() {
    return added;
  }

  /** Adds to a floating-point number, likewise. */
  boolean add(double key) {
    none = false;
    value = WordType.ofDouble(step.isFloat() ? (float) key + (float) real : key + real);
    return known;
  }

  /** Returns what is added. */
  KeyStep step() {
    return step;
  }

  /** Tells whether no clocks change between a time and as many days later as are added. */
  private boolean hasSameClocks(long micros) {
    if (micros < sameFrom || micros >= sameUntil) {
      Instant at = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
      ZoneOffsetTransition before = rules.previousTransition(at.plusNanos(1));
      ZoneOffsetTransition after = rules.nextTransition(at);
      sameFrom = before == null ? Long.MIN_VALUE : micros(before);
      sameUntil = after == null ? Long.MAX_VALUE : micros(after);
    }
    long days = micros + added / KeyStep.DAY_MICROS * KeyStep.DAY_MICROS;
    return days >= sameFrom && days < sameUntil;
  }

  /** Returns when a change is, or the last time of all if it is later. */
  private static long micros(ZoneOffsetTransition change) {
    return TimeUnit.SECONDS.toMicros(change.toEpochSecond());
  }

  /**
   * Evaluates the bound of a key.
   *
   * @param key as Spark has it, or null
   * @throws ArithmeticException if Spark's operator would fail
   */
  void evaluate(Object key) {
    InternalRow bound = step.bound().at(new GenericInternalRow(new Object[] {key}));
    none = bound.isNullAt(0);
    if (!none) {
      Number number = (Number) bound.get(0, step.key());
      value =
          step.type().isFloating() ? WordType.ofDouble(number.doubleValue()) : number.longValue();
    }
  }
}
