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
 * @param stagings returns what a task computes that reads some columns
 * @param series the rows
 * @param alone whether one partition of the child has all rows, in order
 */
public record StencilInput(
    List<? extends Expression> stencils,
    Function<Seq<Attribute>, StagedStencils> stagings,
    SpreadSeries series,
    boolean alone)
    implements OneSeriesInput {
  private StagedStencils staged() {
    return stagings.apply(series.child().output());
  }

  @Override
  public RDD<InternalRow> shuffled(SharedRanges shared, SQLConf conf) {
    StagedStencils windows = staged();
    return ColumnRows.of(
        BatchPacker.joined(windows.rowSchema(), windows.resultSchema()),
        shuffledColumns(null, shared, conf));
  }

  @Override
  public RDD<ColumnarBatch> shuffledColumns(LoopPlan loops, SharedRanges shared, SQLConf conf) {
    return new RangeShuffle(staged(), series).run(shared, conf);
  }

  @Override
  public RDD<InternalRow> ranged(RowPlacement where) {
    if (alone) {
      StagedStencils windows = staged();
      UnitOrder by =
          series.unitOrder(series.child().output(), series.keepsTies() ? null : windows.cells());
      return new GroupedInput(windows.task(), windows.ofRows(), by, true)
          .run(series.child().execute());
    }
    return input(series.child().output(), series.order(), where)
        .run(where.rows(series.child()), () -> readEnds(where));
  }

  @Override
  public RDD<ColumnarBatch> rangedColumns(LoopPlan loops, RowPlacement where) {
    boolean inOrder =
        !alone && where.sorted() && series.columns() != null && !staged().plan().wraps();
    return inOrder && staysColumns(series.columns(), series.order())
        ? input(series.child().output(), series.order(), where)
            .runColumnar(where.columns(series.columns()), () -> readEnds(where))
        : staged().packed(ranged(where));
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
        stagings.apply(input),
        new RowOrder(by, input),
        where.sorted(),
        where.distinct() || series.keepsTies());
  }

  /** Reads the ends of the child's partitions, which is a job. */
  private List<PartitionEnds> readEnds(RowPlacement where) {
    boolean isEnough =
        where.distinct() && stencils.stream().anyMatch(each -> !each.references().isEmpty());
    Seq<SortOrder> by = isEnough ? ScalaInterop.seqOf() : series.order();
    SparkPlan narrow =
        NarrowPlan.of(
            series.child(), ScalaInterop.list(ScalaInterop.concat(ScalaInterop.seq(stencils), by)));
    return input(narrow.output(), by, where).read(narrow, where);
  }
}
