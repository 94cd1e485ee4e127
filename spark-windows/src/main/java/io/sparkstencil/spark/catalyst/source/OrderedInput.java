/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ReadAheadRdd;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import io.sparkstencil.spark.catalyst.rows.OrderedRows;
import io.sparkstencil.spark.catalyst.rows.ReadAhead;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.source.files.FileOrder;
import io.sparkstencil.spark.exec.HaloPlanner;
import io.sparkstencil.spark.exec.PartitionEnds;
import io.sparkstencil.spark.exec.SeriesHalos;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Runs stencils over an input that was declared ordered: nothing is shuffled.
 *
 * @param stencils what each task computes
 * @param order the order that was promised, the series' keys first
 * @param keys the order of the series' keys, or null if all rows are one series
 */
public record OrderedInput(StagedStencils stencils, RowOrder order, RowOrder keys)
    implements Serializable {

  /** Returns the rows with their results. */
  public RDD<InternalRow> run(RDD<InternalRow> rows) {
    Partition[] partitions = FileOrder.arrange(rows);
    SeriesHalos halos = halos(rows, partitions);
    return new ReadAheadRdd<InternalRow, InternalRow>(
        rows,
        partitions,
        (context, readable) -> {
          ReadAhead<InternalRow> ahead =
              new ReadAhead<>(readable, row -> 1, stencils.plan().reach(), stencils.plan().right());
          return stencils.run(context, new OrderedRows(ahead, order, keys), halos, false);
        },
        ScalaInterop.tag(InternalRow.class));
  }

  /** Returns the batches with their results; the order is integral and there are no keys. */
  public RDD<ColumnarBatch> runColumnar(RDD<ColumnarBatch> batches) {
    SeriesHalos halos = SeriesHalos.none(stencils.plan().pipelines().size());
    return new ReadAheadRdd<ColumnarBatch, ColumnarBatch>(
        batches,
        FileOrder.arrange(batches),
        (context, readable) -> stencils.runColumnar(context, readable, order, halos),
        ScalaInterop.tag(ColumnarBatch.class));
  }

  /** Returns what lies beside the whole series: the rule wrap needs its other end. */
  private SeriesHalos halos(RDD<InternalRow> rows, Partition[] partitions) {
    if (!stencils.plan().wraps()) {
      return SeriesHalos.none(stencils.plan().pipelines().size());
    }
    if (keys != null) {
      throw new IllegalStateException("queries with keys and wrap over ordered input are refused");
    }
    List<PartitionEnds> found =
        TaskFindings.of(
            new ReadAheadRdd<InternalRow, PartitionEnds>(
                rows,
                partitions,
                (context, readable) ->
                    ScalaInterop.seqOf(stencils.endsOfSorted(readable.read(readable.index())))
                        .iterator(),
                ScalaInterop.tag(PartitionEnds.class)));
    HaloPlanner planner = new HaloPlanner(stencils.plan(), found);
    SeriesHalos halos = planner.halosOfRows(0, found.size());
    stencils.task().metric(StencilMetric.HALO_CELLS).add(planner.cellsMoved());
    return halos;
  }
}
