/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.running.BoundedPlan;
import io.sparkstencil.spark.catalyst.running.RunningPlan;
import io.sparkstencil.spark.catalyst.running.SeriesFrames;
import io.sparkstencil.spark.catalyst.source.BoundedInput;
import io.sparkstencil.spark.catalyst.source.OneSeriesInput;
import io.sparkstencil.spark.catalyst.source.RunningInput;
import io.sparkstencil.spark.catalyst.source.SpreadSeries;
import io.sparkstencil.spark.catalyst.source.StencilInput;
import io.sparkstencil.spark.conf.SqlOptions;
import java.util.ArrayList;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.immutable.Seq;

/** What of a series a task of {@link StencilExec} has. */
public enum WindowPlace {
  /** Whole series. */
  SERIES {
    @Override
    void plan(StencilExec windows) {
      if (windows.isStencils()) {
        windows.stencils().stages(windows.child().output(), new ArrayList<>());
      } else {
        frames(windows);
      }
    }
  },

  /** A range of one series, and the cells beside it that its stencils reach. */
  CELLS {
    @Override
    OneSeriesInput input(StencilExec windows) {
      return stencils(windows);
    }
  },

  /** Rows in the order in which they come, as a query has declared it, for stencils. */
  AS_THEY_COME,

  /**
   * A range of one series, which starts from what the driver knows of the ranges before it: of
   * ranks, and of windows whose frames have ends without bounds.
   */
  STATES {
    @Override
    void plan(StencilExec windows) {
      running(windows).start();
    }

    @Override
    LoopPlan.Choice loops(StencilExec windows, LoopPlan.Choice all) {
      return all.isLoops() && running(windows).handsTextsOn()
          ? LoopPlan.Choice.not("ranges of one series hand no strings on to each other")
          : all;
    }

    @Override
    boolean readsOnePartitionTwice(StencilExec windows) {
      return running(windows).needsTotal();
    }

    @Override
    boolean ordersTies(StencilExec windows) {
      return running(windows).dependsOnTies()
          || (windows.staysInPlace() && KnownOrder.isOfWindows(windows.child()));
    }

    @Override
    OneSeriesInput input(StencilExec windows) {
      return new RunningInput(running(windows), series(windows), windows.task());
    }
  },

  /**
   * A range of one series, and the rows beside it that its frames reach, which lie between two
   * bounds.
   */
  HALOS {
    @Override
    void plan(StencilExec windows) {
      bounded(windows).frames();
    }

    @Override
    LoopPlan.Choice loops(StencilExec windows, LoopPlan.Choice all) {
      return all.isLoops() && all.plan().growsFrames()
          ? LoopPlan.Choice.not("frames with one bound start from rows of other ranges")
          : all;
    }

    @Override
    boolean readsNeighbours() {
      return true;
    }

    @Override
    boolean ordersTies(StencilExec windows) {
      return true;
    }

    @Override
    OneSeriesInput input(StencilExec windows) {
      return new BoundedInput(bounded(windows), series(windows), windows.task());
    }
  };

  /** Makes what tasks need, and fails if that cannot be made. */
  void plan(StencilExec windows) {
    SERIES.plan(windows);
  }

  /** Tells whether tasks have ranges of one series. */
  boolean isRange() {
    return this != SERIES && this != AS_THEY_COME;
  }

  /** Returns what runs windows over ranges. */
  OneSeriesInput input(StencilExec windows) {
    throw new UnsupportedOperationException("tasks have whole series");
  }

  /** Returns windows as they are computed of columns, where they could be of whole series. */
  LoopPlan.Choice loops(StencilExec windows, LoopPlan.Choice all) {
    return all;
  }

  /** Tells whether rows are read more than once even if they are in one partition. */
  boolean readsOnePartitionTwice(StencilExec windows) {
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
  boolean ordersTies(StencilExec windows) {
    return false;
  }

  /** Returns what tasks have of series that are brought together or spread for stencils. */
  static WindowPlace ofStencils(Seq<Expression> keys) {
    boolean whole = !keys.isEmpty() || SessionOptions.ofSession(SqlOptions.ROWS_AS_SPARK);
    return whole ? SERIES : CELLS;
  }

  private static SpreadSeries series(StencilExec of) {
    return new SpreadSeries(
        of.order().orderSpec(), of.rows(), of.columns(), KnownOrder.isOfWindows(of.child()));
  }

  /** Returns what runs stencils over ranges. */
  static StencilInput stencils(StencilExec of) {
    return new StencilInput(
        of.stencils().calls(),
        rows -> of.stencils().staged(rows, of.task()),
        series(of),
        of.isSorted());
  }

  /** Returns the functions of windows over whole series. */
  static SeriesFrames frames(StencilExec of) {
    return SeriesFrames.of(of.windows(), of.order().orderSpec(), of.child().output(), of.zone());
  }

  private static RunningPlan running(StencilExec of) {
    return new RunningPlan(of.windows(), of.order().orderSpec(), of.child().output(), of.zone());
  }

  private static BoundedPlan bounded(StencilExec of) {
    return new BoundedPlan(of.windows(), of.order().orderSpec(), of.child().output(), of.zone());
  }
}
