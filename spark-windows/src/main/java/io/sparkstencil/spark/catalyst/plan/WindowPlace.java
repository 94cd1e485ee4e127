/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.running.BoundedPlan;
import io.sparkstencil.spark.catalyst.running.RunningPlan;
import io.sparkstencil.spark.catalyst.running.SeriesFrames;
import io.sparkstencil.spark.catalyst.source.BoundedInput;
import io.sparkstencil.spark.catalyst.source.OneSeriesInput;
import io.sparkstencil.spark.catalyst.source.RunningInput;
import io.sparkstencil.spark.catalyst.source.StencilMetric;
import java.util.Set;

/** What of a series a task of {@link StencilWindowExec} has. */
public enum WindowPlace {
  /** Whole series. */
  SERIES {
    @Override
    void plan(StencilWindowExec windows) {
      frames(windows);
    }

    @Override
    Set<StencilMetric> counted() {
      return StencilMetric.OF_SERIES_WINDOWS;
    }
  },

  /**
   * A range of one series, which starts from what the driver knows of the ranges before it: of
   * ranks, and of windows whose frames have ends without bounds.
   */
  STATES {
    @Override
    void plan(StencilWindowExec windows) {
      running(windows).start();
    }

    @Override
    LoopPlan.Choice loops(StencilWindowExec windows, LoopPlan.Choice all) {
      return all.isLoops() && running(windows).handsTextsOn()
          ? LoopPlan.Choice.not("ranges of one series hand no strings on to each other")
          : all;
    }

    @Override
    boolean readsOnePartitionTwice(StencilWindowExec windows) {
      return running(windows).needsTotal();
    }

    @Override
    boolean ordersTies(StencilWindowExec windows) {
      return running(windows).dependsOnTies()
          || (windows.staysInPlace() && KnownOrder.isOfWindows(windows.child()));
    }

    @Override
    Set<StencilMetric> counted() {
      return StencilMetric.OF_RUNNING_WINDOWS;
    }

    @Override
    OneSeriesInput input(StencilWindowExec windows) {
      return new RunningInput(
          running(windows),
          windows.order().orderSpec(),
          windows.rows(),
          windows.columns(),
          KnownOrder.isOfWindows(windows.child()),
          windows.counts());
    }
  },

  /**
   * A range of one series, and the rows beside it that its frames reach, which lie between two
   * bounds.
   */
  HALOS {
    @Override
    void plan(StencilWindowExec windows) {
      bounded(windows).frames();
    }

    @Override
    LoopPlan.Choice loops(StencilWindowExec windows, LoopPlan.Choice all) {
      return all.isLoops() && all.plan().growsFrames()
          ? LoopPlan.Choice.not("frames with one bound start from rows of other ranges")
          : all;
    }

    @Override
    boolean readsNeighbours() {
      return true;
    }

    @Override
    boolean ordersTies(StencilWindowExec windows) {
      return true;
    }

    @Override
    Set<StencilMetric> counted() {
      return StencilMetric.OF_BOUNDED_WINDOWS;
    }

    @Override
    OneSeriesInput input(StencilWindowExec windows) {
      return new BoundedInput(
          bounded(windows),
          windows.order().orderSpec(),
          windows.rows(),
          windows.columns(),
          KnownOrder.isOfWindows(windows.child()),
          windows.counts());
    }
  };

  /** Makes what tasks need, and fails if that cannot be made. */
  abstract void plan(StencilWindowExec windows);

  /** Returns what is counted. */
  abstract Set<StencilMetric> counted();

  /** Returns what runs windows over ranges. */
  OneSeriesInput input(StencilWindowExec windows) {
    throw new UnsupportedOperationException("tasks have whole series");
  }

  /** Returns windows as they are computed of columns, where they could be of whole series. */
  LoopPlan.Choice loops(StencilWindowExec windows, LoopPlan.Choice all) {
    return all;
  }

  /** Tells whether rows are read more than once even if they are in one partition. */
  boolean readsOnePartitionTwice(StencilWindowExec windows) {
    return false;
  }

  /**
   * Tells whether tasks read rows of neighbouring partitions. Partitions of files are many times as
   * large as the units of a shuffle, and have to be read from their first row on.
   */
  boolean readsNeighbours() {
    return false;
  }

  /**
   * Tells whether rows that tie are in the same order each time, which the results, or those of
   * windows below, depend on.
   */
  boolean ordersTies(StencilWindowExec windows) {
    return false;
  }

  /** Returns the functions of windows over whole series. */
  static SeriesFrames frames(StencilWindowExec of) {
    return SeriesFrames.of(of.windows(), of.order().orderSpec(), of.child().output(), of.zone());
  }

  private static RunningPlan running(StencilWindowExec of) {
    return new RunningPlan(of.windows(), of.order().orderSpec(), of.child().output());
  }

  private static BoundedPlan bounded(StencilWindowExec of) {
    return new BoundedPlan(of.windows(), of.order().orderSpec(), of.child().output(), of.zone());
  }
}
