/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.columns.BatchPacker;
import io.sparkstencil.spark.catalyst.columns.ColumnRows;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.source.GroupedInput;
import io.sparkstencil.spark.catalyst.source.MixedWindows;
import io.sparkstencil.spark.catalyst.source.OneSeriesInput;
import io.sparkstencil.spark.catalyst.source.OrderedInput;
import io.sparkstencil.spark.catalyst.source.RowPlacement;
import io.sparkstencil.spark.catalyst.source.SeriesShuffle;
import io.sparkstencil.spark.catalyst.source.SeriesTask;
import io.sparkstencil.spark.catalyst.source.SeriesWindowTask;
import io.sparkstencil.spark.catalyst.source.SharedRanges;
import io.sparkstencil.spark.catalyst.source.StencilRun;
import io.sparkstencil.spark.catalyst.source.StencilTask;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Seq;

/** Runs the windows of an operator: by what its tasks have of a series, and by what comes out. */
final class WindowRun {
  private final StencilExec of;
  private SharedRanges shared; // held for operators that run later

  WindowRun(StencilExec of) {
    this.of = of;
  }

  /** Returns rows with their results. */
  RDD<InternalRow> rows() {
    return run(this::rowsOfResults);
  }

  /** Returns rows with their results as columns. */
  RDD<ColumnarBatch> columns() {
    return run(this::columnsOfResults);
  }

  private <T> RDD<T> run(Supplier<RDD<T>> results) {
    RDD<T> run = SharedRanges.run(results);
    StencilRun.post(of.sparkContext(), of.counts());
    return run;
  }

  private SeriesWindowTask task() {
    return new SeriesWindowTask(WindowPlace.frames(of), SessionOptions.ofSession(), of.counts());
  }

  private StencilTask stencilTask() {
    return of.stencils().task(of.child().output(), of.counts());
  }

  private RDD<InternalRow> rowsOfResults() {
    if (of.place() == WindowPlace.AS_THEY_COME) {
      return inOrder().run(of.child().execute());
    } else if (!of.takesWholeSeries()) {
      return ranged();
    }
    UnitOrder by = of.order().unitOrder(of.child().output());
    if (!of.isShuffling()) {
      SeriesTask each = of.isStencils() ? stencilTask() : task();
      return new GroupedInput(each, by, of.hasOrder()).run(of.child().execute());
    }
    return of.isStencils() // in a session without our rules, Spark makes no rows of columns
        ? ColumnRows.of(
            of.schema(), SeriesShuffle.runColumns(stencilTask(), by, of.conf(), of.child(), false))
        : SeriesShuffle.runCollected(task(), by, of.conf(), of.child());
  }

  private OrderedInput inOrder() {
    Seq<Attribute> input = of.child().output();
    return new OrderedInput(
        stencilTask(),
        new RowOrder(of.order().full(), input),
        of.order().hasKeys() ? new RowOrder(of.order().ofKeys(), input) : null);
  }

  private OneSeriesInput input() {
    return of.place().input(of);
  }

  private RDD<InternalRow> ranged() {
    return of.staysInPlace()
        ? input().ranged(RowPlacement.own(of.hasOrder()))
        : inFiles().map(input()::ranged).orElseGet(() -> input().shuffled(shared, of.conf()));
  }

  /** Returns where rows lie in files that are in order, and prepares to share a shuffle. */
  private Optional<RowPlacement> inFiles() {
    shared =
        SharedRanges.of(StencilRun.execution(of.sparkContext()), of.rows(), of.order().orderSpec());
    return of.place().readsNeighbours() ? Optional.empty() : shared.inFiles();
  }

  private RDD<ColumnarBatch> columnsOfResults() {
    if (of.place() == WindowPlace.AS_THEY_COME) {
      return inOrder().runColumnar(of.child().executeColumnar());
    }
    RDD<ColumnarBatch> columns = of.takesWholeSeries() ? columnsOfSeries() : columnsOfRanges();
    // options, or what is known of a cached table, may have changed since this was planned
    return columns == null
        ? BatchPacker.of(
            DataTypeUtils.fromAttributes(of.child().output()),
            DataTypeUtils.fromAttributes(of.results()),
            rowsOfResults())
        : columns;
  }

  private RDD<ColumnarBatch> columnsOfSeries() {
    UnitOrder by = of.order().unitOrder(of.child().output());
    if (of.isStencils()) {
      boolean cutting = of.way() == SeriesWay.RANGES;
      return of.isShuffling()
          ? SeriesShuffle.runColumns(stencilTask(), by, of.conf(), of.child(), cutting)
          : null;
    }
    MixedWindows mixed = of.mixed();
    LoopPlan plan = mixed == null ? of.loops().plan() : mixed.loops();
    return plan == null
        ? null
        : SeriesShuffle.runLoops(task(), plan, mixed, by, of.conf(), of.child());
  }

  private RDD<ColumnarBatch> columnsOfRanges() {
    LoopPlan loops = of.isStencils() ? null : of.loops().plan();
    if (of.hasColumnsInOrder()) {
      return input().rangedColumns(loops, RowPlacement.own(true));
    } else if (of.staysInPlace() || (loops == null && !of.isStencils())) {
      return null;
    }
    return inFiles()
        .map(where -> input().rangedColumns(loops, where))
        .orElseGet(() -> input().shuffledColumns(loops, shared, of.conf()));
  }
}
