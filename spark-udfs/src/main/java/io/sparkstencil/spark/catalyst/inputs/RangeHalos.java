/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import io.sparkstencil.spark.catalyst.order.RowOrder;
import io.sparkstencil.spark.catalyst.shuffle.EndRows;
import io.sparkstencil.spark.catalyst.shuffle.RowEnds;
import io.sparkstencil.spark.exec.SeriesHalos;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.halo.EndsCollector;
import io.sparkstencil.spark.halo.HaloPlanner;
import io.sparkstencil.spark.halo.PartitionEnds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.Iterator;

/** The halos of partitions that follow each other in the order of one series. */
final class RangeHalos {
  private RangeHalos() {}

  /**
   * Returns what lies beside each partition, and counts it.
   *
   * @param found finds the ends of the partitions, where frames reach beyond a row at all
   */
  static List<SeriesHalos> of(
      StencilTask task, int partitions, Supplier<List<PartitionEnds>> found) {
    StagePlan plan = task.plan();
    if (plan.left() == 0 && plan.right() == 0) {
      return Collections.nCopies(partitions, SeriesHalos.none(plan.pipelines().size()));
    }
    HaloPlanner planner = new HaloPlanner(plan, found.get());
    List<SeriesHalos> halos = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      halos.add(planner.halosOfRows(i, i + 1));
    }
    task.metric(StencilMetric.HALO_CELLS).set(planner.cellsMoved());
    return halos;
  }

  /** Reads all rows of the units of a partition, which may come in any order, for its ends. */
  static PartitionEnds ofUnsorted(
      Iterator<Iterator<InternalRow>> units, StencilTask task, RowOrder order) {
    RowEnds ends = new RowEnds(order, EndRows.of(order, task.cells(), task.plan().reach()));
    while (units.hasNext()) {
      Iterator<InternalRow> rows = units.next();
      while (rows.hasNext()) {
        ends.add((UnsafeRow) rows.next());
      }
    }
    return ends.ends();
  }

  /** Reads all rows of a partition, which come in order, for its ends. */
  static PartitionEnds ofSorted(Iterator<InternalRow> rows, StencilTask task) {
    EndsCollector collector = new EndsCollector(task.plan());
    while (rows.hasNext()) {
      task.cells().read(rows.next(), collector.columns());
      collector.added(1);
    }
    return collector.ends();
  }
}
