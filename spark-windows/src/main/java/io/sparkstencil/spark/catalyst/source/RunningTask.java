/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.frames.DoubleSums;
import io.sparkstencil.spark.catalyst.frames.PackedDoubles;
import io.sparkstencil.spark.catalyst.frames.RunningState;
import io.sparkstencil.spark.catalyst.frames.StateCollector;
import io.sparkstencil.spark.catalyst.frames.StateSpec;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.CountedRows;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.SourceRows;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.running.RunningFrames;
import io.sparkstencil.spark.catalyst.running.RunningStart;
import io.sparkstencil.spark.catalyst.shuffle.PackedRows;
import io.sparkstencil.spark.catalyst.shuffle.RowLayout;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * What every task of an operator of running windows does.
 *
 * @param frames the windows
 * @param metrics what is counted
 */
record RunningTask(RunningFrames frames, Map<StencilMetric, SQLMetric> metrics)
    implements CollectingTask {

  /**
   * Returns the rows of the units of a partition with their results, lazily.
   *
   * @param sorted whether each unit comes in order, but for ties
   */
  Iterator<InternalRow> run(
      TaskContext context,
      Iterator<Iterator<InternalRow>> units,
      UnitOrder order,
      boolean sorted,
      RunningStart start) {
    metrics.get(StencilMetric.PARTITIONS).add(1);
    SQLMetric rows = metrics.get(StencilMetric.ROWS);
    return new CountedRows(frames.run(ordered(context, units, order, sorted), start), rows);
  }

  /** Returns the state of a partition, whose rows are put in order only if that matters. */
  RunningState state(
      TaskContext context,
      Iterator<Iterator<InternalRow>> units,
      UnitOrder order,
      boolean sorted,
      StateSpec spec) {
    StateCollector collector = spec.collectors().get();
    if (spec.ordered()) {
      ordered(context, units, order, sorted).foreach(row -> add(collector, row));
    } else {
      while (units.hasNext()) {
        units.next().foreach(row -> add(collector, row));
      }
    }
    return collector.state();
  }

  /**
   * Returns the columns of a partition's rows that a chain needs, in order and packed.
   *
   * @param doubles whether they are doubles, and all else that a chain needs is known
   */
  Iterator<byte[]> packed(
      TaskContext context,
      Iterator<Iterator<InternalRow>> units,
      UnitOrder order,
      boolean sorted,
      Seq<Attribute> columns,
      boolean doubles) {
    Iterator<InternalRow> rows = ordered(context, units, order, sorted);
    Seq<Attribute> own = order.order().attributes();
    if (doubles) {
      return PackedDoubles.ofRows(rows, ordinals(columns, own));
    }
    if (!own.equals(columns)) {
      rows = rows.map(UnsafeProjection.create(ScalaInterop.seq(ScalaInterop.list(columns)), own));
    }
    return new PackedRows(rows, RowLayout.of(ScalaInterop.list(columns)));
  }

  /** Returns where columns are among others. */
  static int[] ordinals(Seq<Attribute> columns, Seq<Attribute> among) {
    return ScalaInterop.list(columns).stream()
        .mapToInt(each -> ScalaInterop.ordinal(each, among))
        .toArray();
  }

  /**
   * Goes through what was packed of all partitions; returns the state after each.
   *
   * @param doubles what is added, where that is doubles alone; or null
   */
  static Iterator<RunningState> chain(
      Iterator<Iterator<byte[]>> partitions, StateSpec spec, List<DoubleSums.Term> doubles) {
    return doubles == null ? chain(partitions, spec) : chainOfDoubles(partitions, spec, doubles);
  }

  private static Iterator<RunningState> chainOfDoubles(
      Iterator<Iterator<byte[]>> partitions, StateSpec spec, List<DoubleSums.Term> doubles) {
    DoubleSums sums = new DoubleSums(doubles, spec.buffers().types());
    int columns = spec.input().size();
    return partitions.map(
        batches -> {
          while (batches.hasNext()) {
            sums.add(batches.next(), columns);
          }
          return sums.state();
        });
  }

  private static Iterator<RunningState> chain(
      Iterator<Iterator<byte[]>> partitions, StateSpec spec) {
    StateCollector collector = spec.collectors().get();
    RowLayout layout = RowLayout.of(ScalaInterop.list(spec.input()));
    return partitions.map(
        batches -> {
          while (batches.hasNext()) {
            PackedRows.of(batches.next(), layout).foreach(row -> add(collector, row));
          }
          return collector.state();
        });
  }

  private static Void add(StateCollector collector, InternalRow row) {
    collector.add(row);
    return null;
  }

  /** Returns the rows of units in order. */
  Iterator<InternalRow> ordered(
      TaskContext context, Iterator<Iterator<InternalRow>> units, UnitOrder order, boolean sorted) {
    RowSource source = sorted ? order.sorted(units.next()) : inOrder(context, units, order);
    return new SourceRows(source);
  }

  @Override
  public SQLMetric metric(StencilMetric metric) {
    return metrics.get(metric);
  }
}
