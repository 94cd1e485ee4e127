/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.columns.BatchPacker;
import io.sparkstencil.spark.catalyst.columns.ColumnRows;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.exec.PartitionEnds;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Seq;

/**
 * Runs stencils over one series of rows in ranges of its order.
 *
 * @param stencils the stencils
 * @param tasks returns what a task does that reads some columns
 * @param order the order of the series
 * @param child the plan of the rows
 * @param columns a plan of the columns of the same rows; null if there are rows alone
 * @param keepsTies whether rows of the child that tie come in the same order each time, and stay in
 *     it where rows are not shuffled
 * @param alone whether one partition of the child has all rows, in order
 */
public record StencilInput(
    List<? extends Expression> stencils,
    Function<Seq<Attribute>, StencilTask> tasks,
    Seq<SortOrder> order,
    SparkPlan child,
    SparkPlan columns,
    boolean keepsTies,
    boolean alone)
    implements OneSeriesInput {
  private StencilTask task() {
    return tasks.apply(child.output());
  }

  private RowOrder rowOrder() {
    return new RowOrder(order, child.output());
  }

  @Override
  public RDD<InternalRow> shuffled(SharedRanges shared, SQLConf conf) {
    StencilTask task = task();
    return ColumnRows.of(
        BatchPacker.joined(task.rowSchema(), task.resultSchema()),
        shuffledColumns(null, shared, conf));
  }

  @Override
  public RDD<ColumnarBatch> shuffledColumns(LoopPlan loops, SharedRanges shared, SQLConf conf) {
    return new RangeShuffle(task(), rowOrder(), child, columns, conf).run(shared);
  }

  @Override
  public RDD<InternalRow> ranged(RowPlacement where) {
    if (alone) {
      StencilTask task = task();
      UnitOrder by =
          UnitOrder.ofOneSeries(rowOrder(), keepsTies ? null : task.cells(), task.rowSchema());
      return new GroupedInput(task, by, true).run(child.execute());
    }
    return input(child.output(), order, where).run(where.rows(child), () -> readEnds(where));
  }

  @Override
  public RDD<ColumnarBatch> rangedColumns(LoopPlan loops, RowPlacement where) {
    boolean inOrder = !alone && where.sorted() && columns != null && !task().plan().wraps();
    return inOrder && staysColumns(columns, order)
        ? input(child.output(), order, where)
            .runColumnar(where.columns(columns), () -> readEnds(where))
        : task().packed(ranged(where));
  }

  /**
   * Tells whether stencils are computed of columns where these come in order: of columns of fixed
   * width, one of which is the whole order.
   */
  public static boolean staysColumns(SparkPlan child, Seq<SortOrder> order) {
    return child.supportsColumnar()
        && new RowOrder(order, child.output()).isIntegral()
        && ScalaInterop.list(child.output()).stream()
            .allMatch(each -> ColumnarLayout.elementType(each.dataType()) != null);
  }

  private RangedInput input(Seq<Attribute> input, Seq<SortOrder> by, RowPlacement where) {
    return new RangedInput(
        tasks.apply(input), new RowOrder(by, input), where.sorted(), where.distinct() || keepsTies);
  }

  /** Reads the ends of the child's partitions, which is a job. */
  private List<PartitionEnds> readEnds(RowPlacement where) {
    boolean isEnough =
        where.distinct() && stencils.stream().anyMatch(each -> !each.references().isEmpty());
    Seq<SortOrder> by = isEnough ? ScalaInterop.seqOf() : order;
    SparkPlan narrow =
        NarrowPlan.of(
            child, ScalaInterop.list(ScalaInterop.concat(ScalaInterop.seq(stencils), by)));
    return input(narrow.output(), by, where).read(narrow, where);
  }
}
