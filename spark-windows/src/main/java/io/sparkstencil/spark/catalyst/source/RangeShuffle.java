/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.shuffle.RangeEnds;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import io.sparkstencil.spark.exec.PartitionEnds;
import io.sparkstencil.spark.exec.SeriesHalos;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Spreads the rows of one series over partitions by ranges of their key and gives each partition
 * its halo:
 *
 * <pre>
 *   rows -> [sample] ranges -> [shuffle] unsorted ranges, and the first and last rows of each
 *        -> [halo] what lies beside each partition -> [sort, stencil] in each partition's task
 * </pre>
 *
 * <p>Where the key is of columns of fixed width, the shuffle's map tasks find the first and last
 * rows on the way; elsewhere, and for very wide frames, a job reads the shuffled rows once more for
 * them.
 *
 * @param task what each task does
 * @param order the order of the series
 * @param child the plan of the rows
 * @param columns a plan of the columns of the same rows; null to read rows
 * @param conf options of Spark's
 */
public record RangeShuffle(
    StencilTask task, RowOrder order, SparkPlan child, SparkPlan columns, SQLConf conf) {
  /**
   * Returns the sorted rows with their results as columns.
   *
   * @param shared the shuffle, or where to leave it for others
   */
  public RDD<ColumnarBatch> run(SharedRanges shared) {
    RangeStage.Ranges ranges = ranges(shared);
    if (ranges == null) {
      return ScalaInterop.noPartitions(child, ColumnarBatch.class);
    }
    List<SeriesHalos> halos = halos(ranges);
    StencilTask each = task;
    UnitOrder by = UnitOrder.ofOneSeries(order, task.cells(), task.rowSchema());
    SeriesLayout layout = SeriesLayout.ofOneSeries(order).breakingTies(task.cells());
    return ranges
        .units()
        .readBatches(
            halos,
            (taskContext, beside, own) -> each.runRange(taskContext, own, by, layout, beside),
            ScalaInterop.tag(ColumnarBatch.class));
  }

  private RangeStage.Ranges ranges(SharedRanges shared) {
    RangeEnds ends =
        new RangeEnds(child.session().sparkContext(), task.plan(), task.cells(), order);
    RangeStage stage = new RangeStage(order, child, columns, conf, task.metrics());
    return shared.ranges(() -> stage.run(ends));
  }

  private List<SeriesHalos> halos(RangeStage.Ranges ranges) {
    long start = System.nanoTime();
    List<SeriesHalos> halos = task.halos(ranges.units().groups().size(), () -> ends(ranges));
    task.metric(StencilMetric.HALO_MILLIS).set((System.nanoTime() - start) / 1_000_000);
    return halos;
  }

  private List<PartitionEnds> ends(RangeStage.Ranges ranges) {
    ShuffledUnits units = ranges.units();
    if (!(ranges.finder() instanceof RangeEnds found)
        || !found.findsEndsFor(task.plan(), task.cells())) {
      return readEnds(units);
    }
    List<PartitionEnds> ends = new ArrayList<>();
    for (int group = 0; group < units.groups().size(); group++) {
      ShuffledUnits.Run partitions = units.partitions(group);
      ends.add(found.ends(partitions.from(), partitions.until(), task.cells()));
    }
    return ends;
  }

  private List<PartitionEnds> readEnds(ShuffledUnits units) {
    StencilTask each = task;
    RowOrder by = order;
    RDD<PartitionEnds> ends =
        units.read(
            Collections.nCopies(units.groups().size(), 0),
            (context, none, own) -> ScalaInterop.seqOf(each.endsOfUnsorted(own, by)).iterator(),
            ScalaInterop.tag(PartitionEnds.class));
    return TaskFindings.of(ends);
  }
}
