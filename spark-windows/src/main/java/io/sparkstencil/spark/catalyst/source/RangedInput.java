/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.columns.TieBatches;
import io.sparkstencil.spark.catalyst.interop.GroupTask;
import io.sparkstencil.spark.catalyst.interop.GroupedRdd;
import io.sparkstencil.spark.catalyst.interop.ReadAheadRdd;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.TieResolver;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.exec.EndsCollector;
import io.sparkstencil.spark.exec.PartitionEnds;
import io.sparkstencil.spark.exec.SeriesHalos;
import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/**
 * Runs stencils over one series whose partitions follow each other in its order. Rows stay where
 * they are: a job reads them once for their ends, and the tasks read them again. Of cached tables
 * the job decodes little.
 *
 * <p>Rows that tie are put in the order of their values in both, as they may come in another order
 * when they are read again.
 *
 * @param stencils what each task computes
 * @param order the order of the series
 * @param sorted whether the rows of each partition are in this order
 * @param keepsTies whether rows that tie come in the same order each time, and stay in it
 */
public record RangedInput(
    StagedStencils stencils, RowOrder order, boolean sorted, boolean keepsTies)
    implements Serializable {

  /**
   * Returns the rows, in order, with their results.
   *
   * @param ends reads the same rows, or as many columns as it needs, for their ends
   */
  public RDD<InternalRow> run(RDD<InternalRow> rows, Supplier<List<PartitionEnds>> ends) {
    UnitOrder units =
        UnitOrder.ofOneSeries(order, keepsTies ? null : stencils.cells(), stencils.rowSchema());
    GroupTask<InternalRow, SeriesHalos, InternalRow> work =
        sorted
            ? (context, halos, own) -> stencils.run(context, units.sorted(own.next()), halos, false)
            : (context, halos, own) -> stencils.runUnit(context, own.next(), units, halos);
    return beside(rows, ends, work, InternalRow.class);
  }

  /**
   * Returns the batches, in order, with their results; each partition is in order, which is
   * integral.
   *
   * @param ends reads the same rows, or as many columns as it needs, for their ends
   */
  public RDD<ColumnarBatch> runColumnar(
      RDD<ColumnarBatch> batches, Supplier<List<PartitionEnds>> ends) {
    return beside(
        batches,
        ends,
        (context, halos, own) -> {
          Iterator<ColumnarBatch> asTheyCome = own.next();
          Iterator<ColumnarBatch> inOrder =
              keepsTies
                  ? asTheyCome
                  : new TieBatches(asTheyCome, order, stencils.cells(), stencils.rowSchema());
          var only = new ReadAheadRdd.Partitions<ColumnarBatch>(0, 1, partition -> inOrder);
          return stencils.runColumnar(context, only, order, halos);
        },
        ColumnarBatch.class);
  }

  /** Returns what tasks make of one partition each and what lies beside it. */
  private <T> RDD<T> beside(
      RDD<T> rows,
      Supplier<List<PartitionEnds>> ends,
      GroupTask<T, SeriesHalos, T> work,
      Class<T> type) {
    long start = System.nanoTime();
    List<SeriesHalos> beside = stencils.halos(rows.getNumPartitions(), ends);
    stencils.task().setMillis(StencilMetric.HALO_MILLIS, start);
    int[] starts = IntStream.rangeClosed(0, beside.size()).toArray();
    return new GroupedRdd<>(rows, starts, beside, work, ScalaInterop.tag(type));
  }

  /**
   * Reads the ends of all partitions of a plan's rows, which is a job.
   *
   * @param where these partitions
   */
  public List<PartitionEnds> read(SparkPlan plan, RowPlacement where) {
    InMemoryTableScanExec table = sorted ? CachedEnds.tableOf(plan) : null;
    if (table != null) {
      return CachedEnds.read(table, stencils, order);
    }
    RDD<ColumnarBatch> batches = sorted && keepsTies ? where.batches(plan) : null;
    return batches == null ? read(where.rows(plan)) : readColumns(batches);
  }

  private List<PartitionEnds> readColumns(RDD<ColumnarBatch> batches) {
    return TaskFindings.of(
        batches.mapPartitionsWithEvaluator(
            () -> (index, inputs) -> ScalaInterop.seqOf(endsOfColumns(inputs.apply(0))).iterator(),
            ScalaInterop.tag(PartitionEnds.class)));
  }

  /** Reads the first and the last rows of each batch of a partition in order, for its ends. */
  private PartitionEnds endsOfColumns(Iterator<ColumnarBatch> batches) {
    ColumnarLayout layout = stencils.layout();
    EndsCollector collector = new EndsCollector(stencils.plan());
    while (batches.hasNext()) {
      ColumnarBatch batch = batches.next();
      int from = collector.skipped(batch.numRows());
      int count = batch.numRows() - from;
      layout.read(batch, from, count, collector.columns());
      collector.added(count);
    }
    return collector.ends();
  }

  private List<PartitionEnds> read(RDD<InternalRow> rows) {
    return TaskFindings.of(
        rows.mapPartitionsWithEvaluator(
            () -> (index, inputs) -> ScalaInterop.seqOf(ends(inputs.apply(0))).iterator(),
            ScalaInterop.tag(PartitionEnds.class)));
  }

  private PartitionEnds ends(Iterator<InternalRow> rows) {
    return sorted
        ? stencils.endsOfSorted(
            keepsTies ? rows : new TieResolver(rows, order, stencils.cells(), stencils.rowSchema()))
        : stencils.endsOfUnsorted(ScalaInterop.seqOf(rows).iterator(), order);
  }
}
