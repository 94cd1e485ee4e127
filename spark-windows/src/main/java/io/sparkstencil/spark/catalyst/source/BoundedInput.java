/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

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
import io.sparkstencil.spark.catalyst.shuffle.RangeExtent;
import io.sparkstencil.spark.catalyst.shuffle.RangeExtents;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
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
 * @param order their order
 * @param child the plan of the rows
 * @param columns a plan of the columns of the same rows, which a shuffle reads; null to read rows
 * @param keepsTies whether rows that tie come in the same order each time, and stay in it
 * @param metrics what is counted
 */
public record BoundedInput(
    BoundedPlan plan,
    Seq<SortOrder> order,
    SparkPlan child,
    SparkPlan columns,
    boolean keepsTies,
    Map<StencilMetric, SQLMetric> metrics)
    implements OneSeriesInput {

  @Override
  public RDD<InternalRow> shuffled(SharedRanges shared, SQLConf conf) {
    RangeStage.Ranges ranges = ranges(shared, conf);
    if (ranges == null) {
      return ScalaInterop.noPartitions(child, InternalRow.class);
    }
    OrderedParts parts = new OrderedParts.Shuffled(ranges.units(), child.output());
    return results(parts, false, () -> facts(ranges, parts));
  }

  @Override
  public RDD<ColumnarBatch> shuffledColumns(LoopPlan loops, SharedRanges shared, SQLConf conf) {
    RangeStage.Ranges ranges = ranges(shared, conf);
    if (ranges == null) {
      return ScalaInterop.noPartitions(child, ColumnarBatch.class);
    }
    OrderedParts parts = new OrderedParts.Shuffled(ranges.units(), child.output());
    HaloPlan halos = halos(parts, () -> facts(ranges, parts));
    RowOrder by = new RowOrder(order, parts.columns());
    LoopTask task = new LoopTask(loops, plan.layout(), unitOrder(parts, false), metrics);
    BoundedFrames frames = plan.frames();
    return ranges
        .units()
        .readBatches(
            halos.runs(),
            halos.halos(),
            (context, halo, units) ->
                task.run(
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
    RowOrder rowOrder = new RowOrder(order, child.output());
    RangeExtents finder =
        new RangeExtents(child.session().sparkContext(), rowOrder, plan.reachesByKeys());
    RangeStage stage = new RangeStage(rowOrder, child, columns, conf, metrics);
    return shared.ranges(() -> stage.run(finder));
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
    OrderedParts parts = OrderedParts.InPlace.of(child, where);
    return results(
        parts,
        keepsTies,
        () -> {
          List<Expression> needed = new ArrayList<>();
          ScalaInterop.list(order).forEach(each -> needed.add(each.child()));
          boolean aggregates = !plan.states().isEmpty(); // in the order of rows that tie
          SparkPlan rows = aggregates ? child : NarrowPlan.of(child, needed);
          return read(OrderedParts.InPlace.of(rows, where), keepsTies);
        });
  }

  private RDD<InternalRow> results(
      OrderedParts parts, boolean tiesStay, Supplier<List<UnitFacts>> facts) {
    HaloPlan halos = halos(parts, facts);
    BoundedTask task = task(parts, tiesStay);
    return parts.run(
        halos.runs(),
        halos.halos(),
        (context, halo, units) -> task.run(context, units, halo),
        InternalRow.class);
  }

  private HaloPlan halos(OrderedParts parts, Supplier<List<UnitFacts>> facts) {
    long start = System.nanoTime();
    HaloPlan halos = plan.halos(parts.starts(), facts);
    metrics.get(StencilMetric.HALO_MILLIS).set((System.nanoTime() - start) / 1_000_000);
    return halos;
  }

  private BoundedTask task(OrderedParts parts, boolean tiesStay) {
    return new BoundedTask(plan.frames(), unitOrder(parts, tiesStay), parts.sorted(), metrics);
  }

  private UnitOrder unitOrder(OrderedParts parts, boolean tiesStay) {
    return UnitOrder.ofOneSeries(
        new RowOrder(order, parts.columns()),
        tiesStay ? null : plan.ties(parts.columns()),
        DataTypeUtils.fromAttributes(parts.columns()));
  }

  /** Reads all rows for what is to be known of their units, which is a job. */
  private List<UnitFacts> read(OrderedParts parts, boolean tiesStay) {
    RowOrder by = plan.reachesByKeys() ? new RowOrder(order, parts.columns()) : null;
    StateSpec spec = plan.states();
    // Without states, rows need no order, and may have the keys alone.
    BoundedTask task = spec.isEmpty() ? null : task(parts, tiesStay);
    int[] starts = parts.starts();
    int units = starts[starts.length - 1];
    GroupTask<InternalRow, Integer, UnitFacts> work =
        (context, none, unit) ->
            ScalaInterop.seqOf(
                    task == null
                        ? new UnitFacts(extent(unit.next(), by), null)
                        : task.facts(context, unit, by, spec))
                .iterator();
    RDD<UnitFacts> facts =
        parts.run(
            IntStream.range(0, units).mapToObj(i -> new int[] {i, i + 1}).toArray(int[][]::new),
            Collections.nCopies(units, 0),
            work,
            UnitFacts.class);
    return TaskFindings.of(facts);
  }

  private static RangeExtent extent(Iterator<InternalRow> rows, RowOrder order) {
    ExtentCollector collector = new ExtentCollector(order);
    while (rows.hasNext()) {
      collector.add((UnsafeRow) rows.next());
    }
    return collector.packed();
  }
}
