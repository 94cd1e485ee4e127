/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.frames.StateCollector;
import io.sparkstencil.spark.catalyst.frames.StateSpec;
import io.sparkstencil.spark.catalyst.interop.GroupTask;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.running.BoundedFrames;
import io.sparkstencil.spark.catalyst.running.BoundedPlan;
import io.sparkstencil.spark.catalyst.running.HaloPlan;
import io.sparkstencil.spark.catalyst.running.HaloRows;
import io.sparkstencil.spark.catalyst.running.UnitFacts;
import io.sparkstencil.spark.catalyst.shuffle.ExtentCollector;
import io.sparkstencil.spark.catalyst.shuffle.RangeExtents;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * Runs windows between two bounds over one series of rows in ranges of its order:
 *
 * <pre>
 *   rows -> [shuffle] unsorted ranges, and the extent of each
 *        -> [halo] which ranges each task needs beside its own
 *        -> [sort, frames] its own rows with their results
 * </pre>
 *
 * @param plan the windows
 * @param series the rows
 * @param task what each task is
 */
public record BoundedInput(BoundedPlan plan, SpreadSeries series, WindowTask task)
    implements OneSeriesInput {

  @Override
  public RDD<InternalRow> shuffled(SharedRanges shared, SQLConf conf) {
    RangeStage.Ranges ranges = ranges(shared, conf);
    if (ranges == null) {
      return ScalaInterop.noPartitions(series.child(), InternalRow.class);
    }
    OrderedParts parts = new OrderedParts.Shuffled(ranges.units(), series.child().output());
    return results(parts, false, () -> facts(ranges, parts));
  }

  @Override
  public RDD<ColumnarBatch> shuffledColumns(LoopPlan loops, SharedRanges shared, SQLConf conf) {
    RangeStage.Ranges ranges = ranges(shared, conf);
    if (ranges == null) {
      return ScalaInterop.noPartitions(series.child(), ColumnarBatch.class);
    }
    OrderedParts parts = new OrderedParts.Shuffled(ranges.units(), series.child().output());
    HaloPlan halos = halos(parts, () -> facts(ranges, parts));
    RowOrder by = series.rowOrder();
    RangeLoops each = new RangeLoops(loops, plan.layout(), unitOrder(parts, false), task);
    BoundedFrames frames = plan.frames();
    return ranges
        .units()
        .readBatches(
            halos.runs(),
            halos.halos(),
            (context, halo, units) ->
                each.run(
                    context,
                    units,
                    halo,
                    null,
                    (rows, before, own) ->
                        frames.run(rows, HaloRows.counted(halo, by, before, own))),
            ScalaInterop.tag(ColumnarBatch.class));
  }

  /** Returns ranges, or null if there are no rows. */
  private RangeStage.Ranges ranges(SharedRanges shared, SQLConf conf) {
    RangeExtents finder =
        new RangeExtents(series.context(), series.rowOrder(), plan.reachesByKeys());
    return series.ranges(finder, shared, conf, task);
  }

  private List<UnitFacts> facts(RangeStage.Ranges ranges, OrderedParts parts) {
    return plan.states().isEmpty()
            && ranges.finder() instanceof RangeExtents found
            && found.findsExtents(plan.reachesByKeys())
        ? found(found, ranges.units())
        : read(parts, false);
  }

  private List<UnitFacts> found(RangeExtents finder, ShuffledUnits units) {
    return units.units().stream()
        .map(each -> finder.extent(each.from(), each.until(), plan.reachesByKeys()))
        .map(each -> new UnitFacts(each, null))
        .toList();
  }

  @Override
  public RDD<InternalRow> ranged(RowPlacement where) {
    OrderedParts parts = OrderedParts.InPlace.of(series.child(), where);
    return results(
        parts,
        series.keepsTies(),
        () -> {
          List<Expression> needed = new ArrayList<>();
          ScalaInterop.list(series.order()).forEach(each -> needed.add(each.child()));
          boolean aggregates = !plan.states().isEmpty(); // in the order of rows that tie
          SparkPlan rows = aggregates ? series.child() : NarrowPlan.of(series.child(), needed);
          return read(OrderedParts.InPlace.of(rows, where), series.keepsTies());
        });
  }

  private RDD<InternalRow> results(
      OrderedParts parts, boolean tiesStay, Supplier<List<UnitFacts>> facts) {
    HaloPlan halos = halos(parts, facts);
    WindowTask each = task;
    UnitOrder by = unitOrder(parts, tiesStay);
    boolean sorted = parts.sorted();
    BoundedFrames frames = plan.frames();
    return parts.run(
        halos.runs(),
        halos.halos(),
        (context, halo, units) -> {
          HaloRows counts = new HaloRows(halo, by.order());
          SQLMetric beside = each.metric(StencilMetric.HALO_ROWS);
          ScalaInterop.onCompletion(context, () -> beside.add(counts.beside()));
          Iterator<InternalRow> rows = each.inOrder(context, counts.of(units), by, sorted);
          return each.counted(frames.run(rows, counts));
        },
        InternalRow.class);
  }

  private HaloPlan halos(OrderedParts parts, Supplier<List<UnitFacts>> facts) {
    long start = System.nanoTime();
    HaloPlan halos = plan.halos(parts.starts(), facts);
    task.setMillis(StencilMetric.HALO_MILLIS, start);
    return halos;
  }

  private UnitOrder unitOrder(OrderedParts parts, boolean tiesStay) {
    Seq<Attribute> columns = parts.columns();
    return series.unitOrder(columns, tiesStay ? null : plan.ties(columns));
  }

  /** Reads all rows for what is to be known of their units, which is a job. */
  private List<UnitFacts> read(OrderedParts parts, boolean tiesStay) {
    RowOrder keys = plan.reachesByKeys() ? new RowOrder(series.order(), parts.columns()) : null;
    StateSpec spec = plan.states();
    // Without states, rows need no order, and may have the keys alone.
    UnitOrder by = !spec.isEmpty() && spec.ordered() ? unitOrder(parts, tiesStay) : null;
    boolean sorted = parts.sorted();
    WindowTask each = task;
    int[] starts = parts.starts();
    int units = starts[starts.length - 1];
    GroupTask<InternalRow, Integer, UnitFacts> work =
        (context, none, unit) -> {
          Iterator<InternalRow> rows =
              by == null ? unit.next() : each.inOrder(context, unit, by, sorted);
          return ScalaInterop.seqOf(facts(rows, keys, spec)).iterator();
        };
    RDD<UnitFacts> facts =
        parts.run(
            IntStream.range(0, units).mapToObj(i -> new int[] {i, i + 1}).toArray(int[][]::new),
            Collections.nCopies(units, 0),
            work,
            UnitFacts.class);
    return TaskFindings.of(facts);
  }

  /**
   * Returns what is to be known of a unit.
   *
   * @param keys the order whose keys matter; null if none do
   * @param spec what is aggregated
   */
  private static UnitFacts facts(Iterator<InternalRow> rows, RowOrder keys, StateSpec spec) {
    ExtentCollector extent = new ExtentCollector(keys);
    StateCollector state = spec.isEmpty() ? null : spec.collectors().get();
    while (rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      extent.add(row);
      if (state != null) {
        state.add(row);
      }
    }
    return new UnitFacts(extent.packed(), state == null ? null : state.state());
  }
}
