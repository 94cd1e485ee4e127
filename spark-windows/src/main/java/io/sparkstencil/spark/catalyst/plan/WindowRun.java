/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.columns.BatchPacker;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.source.GroupedInput;
import io.sparkstencil.spark.catalyst.source.MixedWindows;
import io.sparkstencil.spark.catalyst.source.OneSeriesInput;
import io.sparkstencil.spark.catalyst.source.OrderedInput;
import io.sparkstencil.spark.catalyst.source.RowPlacement;
import io.sparkstencil.spark.catalyst.source.SeriesComputation;
import io.sparkstencil.spark.catalyst.source.SeriesShuffle;
import io.sparkstencil.spark.catalyst.source.SeriesWindows;
import io.sparkstencil.spark.catalyst.source.SharedRanges;
import io.sparkstencil.spark.catalyst.source.StagedStencils;
import io.sparkstencil.spark.catalyst.source.StencilRun;
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

  private SeriesWindows windows() {
    MixedWindows mixed = of.mixed();
    LoopPlan loops = mixed == null ? of.loops().plan() : mixed.loops();
    return new SeriesWindows(WindowPlace.frames(of), loops, mixed, of.task());
  }

  private StagedStencils stencils() {
    return of.stencils().staged(of.child().output(), of.task());
  }

  private RDD<InternalRow> rowsOfResults() {
    if (of.place() == WindowPlace.AS_THEY_COME) {
      return inOrder().run(of.child().execute());
    } else if (!of.takesWholeSeries()) {
      return ranged();
    }
    UnitOrder by = of.order().unitOrder(of.child().output());
    SeriesComputation<InternalRow> computed =
        of.isStencils() ? stencils().ofRows() : windows().ofRows();
    return of.isShuffling()
        ? shuffle(by).run(computed, InternalRow.class)
        : new GroupedInput(of.task(), computed, by, of.hasOrder()).run(of.child().execute());
  }

  private OrderedInput inOrder() {
    Seq<Attribute> input = of.child().output();
    return new OrderedInput(
        stencils(),
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
    SeriesComputation<ColumnarBatch> computed = computedColumns();
    if (computed == null) {
      return null;
    }
    SeriesShuffle shuffle = shuffle(of.order().unitOrder(of.child().output()));
    if (of.way() == SeriesWay.RANGES) {
      StagedStencils stencils = stencils();
      if (!stencils.plan().wraps()) {
        return shuffle.runRanges(stencils);
      }
    }
    return shuffle.run(computed, ColumnarBatch.class);
  }

  private SeriesShuffle shuffle(UnitOrder by) {
    return new SeriesShuffle(of.task(), by, of.child(), of.conf());
  }

  /** Returns what computes columns of whole series; null if only rows are to be had. */
  private SeriesComputation<ColumnarBatch> computedColumns() {
    if (of.isStencils()) {
      return of.isShuffling() ? stencils().ofColumns() : null;
    }
    SeriesWindows windows = windows();
    return windows.hasColumns() ? windows.ofColumns() : null;
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
