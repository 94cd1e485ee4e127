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
 * @param stencils what each task computes
 * @param series the rows
 */
public record RangeShuffle(StagedStencils stencils, SpreadSeries series) {
  /**
   * Returns the sorted rows with their results as columns.
   *
   * @param shared the shuffle, or where to leave it for others
   */
  public RDD<ColumnarBatch> run(SharedRanges shared, SQLConf conf) {
    RowOrder order = series.rowOrder();
    RangeEnds finder = new RangeEnds(series.context(), stencils.plan(), stencils.cells(), order);
    RangeStage.Ranges ranges = series.ranges(finder, shared, conf, stencils.task());
    if (ranges == null) {
      return ScalaInterop.noPartitions(series.child(), ColumnarBatch.class);
    }
    List<SeriesHalos> halos = halos(ranges);
    StagedStencils each = stencils;
    UnitOrder by = series.unitOrder(series.child().output(), stencils.cells());
    SeriesLayout layout = SeriesLayout.ofOneSeries(order).breakingTies(stencils.cells());
    return ranges
        .units()
        .readBatches(
            halos,
            (taskContext, beside, own) -> each.runRange(taskContext, own, by, layout, beside),
            ScalaInterop.tag(ColumnarBatch.class));
  }

  private List<SeriesHalos> halos(RangeStage.Ranges ranges) {
    long start = System.nanoTime();
    List<SeriesHalos> halos = stencils.halos(ranges.units().groups().size(), () -> ends(ranges));
    stencils.task().setMillis(StencilMetric.HALO_MILLIS, start);
    return halos;
  }

  private List<PartitionEnds> ends(RangeStage.Ranges ranges) {
    ShuffledUnits units = ranges.units();
    if (!(ranges.finder() instanceof RangeEnds found)
        || !found.findsEndsFor(stencils.plan(), stencils.cells())) {
      return readEnds(units);
    }
    List<PartitionEnds> ends = new ArrayList<>();
    for (int group = 0; group < units.groups().size(); group++) {
      ShuffledUnits.Run partitions = units.partitions(group);
      ends.add(found.ends(partitions.from(), partitions.until(), stencils.cells()));
    }
    return ends;
  }

  private List<PartitionEnds> readEnds(ShuffledUnits units) {
    StagedStencils each = stencils;
    RowOrder by = series.rowOrder();
    RDD<PartitionEnds> ends =
        units.read(
            Collections.nCopies(units.groups().size(), 0),
            (context, none, own) -> ScalaInterop.seqOf(each.endsOfUnsorted(own, by)).iterator(),
            ScalaInterop.tag(PartitionEnds.class));
    return TaskFindings.of(ends);
  }
}
