/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.frames.PartialBuffers;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;

/**
 * A window function: how it goes from row to row, and what a part's buffer starts from, given what
 * is known of the rows before it.
 */
abstract class RunningFunction {
  private final DeclarativeAggregate function;
  private final FrameExtent extent;

  /**
   * The rows before a part; for {@link FrameExtent#SERIES} all rows, for {@link SuffixAggregate}
   * those after it.
   *
   * @param rows their number
   * @param total the number of all rows
   * @param partial the values of {@link #partial} after them
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Before(long rows, long total, Object[] partial) {}

  /**
   * Creates the function.
   *
   * @param function what updates and evaluates its buffer
   */
  RunningFunction(DeclarativeAggregate function, FrameExtent extent) {
    this.function = function;
    this.extent = extent;
  }

  /** Returns the function of a window that the rules have let through. */
  static RunningFunction of(WindowExpression window) {
    FrameExtent extent = FrameExtent.of(window);
    RunningFunction rank = RunningRank.of(window.windowFunction(), extent);
    return rank == null ? Aggregates.of(window.windowFunction(), extent) : rank;
  }

  DeclarativeAggregate function() {
    return function;
  }

  FrameExtent extent() {
    return extent;
  }

  /** Returns what is aggregated of the rows before a part. */
  abstract PartialBuffers partial();

  /** Tells whether {@link #partial} depends on the order of the rows. */
  abstract boolean isOrdered();

  /**
   * Tells whether parts cannot be joined: {@link #partial} goes through all rows in order, from the
   * first part to the last.
   */
  boolean isChained() {
    return false;
  }

  /** Tells whether results depend on the order of rows that tie. */
  boolean dependsOnTies() {
    return extent == FrameExtent.ROWS || extent == FrameExtent.REST || isOrdered();
  }

  /** Tells whether a part's buffer depends on the number, or on the values, of all rows. */
  boolean needsTotal() {
    return extent == FrameExtent.SERIES;
  }

  /**
   * Returns the values of the function's buffer before the first row of a part: what is aggregated
   * of {@link Before}, unless a function says otherwise.
   *
   * @throws ArithmeticException if Spark's own buffer would have overflown by then
   */
  Object[] start(Before before) {
    return before.partial();
  }
}
