/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.source.NarrowPlan;
import io.sparkstencil.spark.catalyst.source.OneSeriesInput;
import io.sparkstencil.spark.catalyst.source.RowPlacement;
import io.sparkstencil.spark.catalyst.source.SharedRanges;
import io.sparkstencil.spark.catalyst.source.StencilRun;
import java.util.List;
import java.util.Optional;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Seq;

/**
 * An operator of windows of one series of all rows. They are spread over partitions by ranges of
 * their order, or stay where they are if the child has such ranges.
 */
abstract class OneSeriesExec extends WindowOperator
    implements SeriesOperator, NarrowPlan.Narrowing {
  private static final long serialVersionUID = 1L;

  private final Seq<SortOrder> orderSpec;
  private final SeriesWay way;
  private transient SharedRanges shared; // held for operators that run later

  OneSeriesExec(
      Seq<NamedExpression> windows, Seq<SortOrder> orderSpec, SeriesWay way, SparkPlan child) {
    super(windows, new SeriesOrder(ScalaInterop.seqOf(), orderSpec), child);
    this.orderSpec = orderSpec;
    this.way = way;
  }

  /** Returns this operator over another child. */
  abstract SparkPlan with(SeriesWay newWay, SparkPlan newChild);

  @Override
  public final SparkPlan withNewChildInternal(SparkPlan newChild) {
    return with(way, newChild);
  }

  @Override
  final boolean takesWholeSeries() {
    return false;
  }

  final SeriesWay way() {
    return way;
  }

  @Override
  public final boolean isShuffling() {
    return false;
  }

  @Override
  public final boolean isSpreading() {
    return !staysInPlace();
  }

  @Override
  public final boolean canShuffle() {
    return false;
  }

  @Override
  public final SparkPlan shuffling(SparkPlan newChild) {
    throw new UnsupportedOperationException("one series has no keys to bring rows together by");
  }

  @Override
  public final SparkPlan overColumns(SparkPlan columns, boolean cutting) {
    return with(loops().isLoops() ? SeriesWay.COLUMNS : way, columns);
  }

  /** Returns what runs the windows. */
  abstract OneSeriesInput input();

  /** Tells whether rows are read more than once even if they are in one partition. */
  abstract boolean readsOnePartitionTwice();

  /**
   * Tells whether tasks read rows of neighbouring partitions. Partitions of files are many times as
   * large as the units of a shuffle, and have to be read from their first row on.
   */
  abstract boolean readsNeighbours();

  /** Tells whether the child has all rows in one partition and in order. */
  private boolean isSorted() {
    return child().outputPartitioning() instanceof SinglePartition$
        && hasOrder()
        && (!readsOnePartitionTwice() || KnownOrder.canBeReadAgain(child()));
  }

  private boolean isRanged() {
    return KnownOrder.hasRanges(child(), orderSpec);
  }

  /** Tells whether rows stay in the child's partitions. */
  final boolean staysInPlace() {
    return isSorted() || isRanged();
  }

  /** Tells whether rows and results are the same when they are read again. */
  final boolean canBeReadAgain() {
    return !staysInPlace() || KnownOrder.canBeReadAgain(child());
  }

  /**
   * Tells whether rows that tie are in the same order each time, which the results, or those of
   * windows below, depend on.
   */
  abstract boolean ordersTies();

  @Override
  public final Partitioning outputPartitioning() {
    return isSorted()
        ? child().outputPartitioning()
        // How many ranges there are is known when it runs; what matters is that it is not one.
        : new RangePartitioning(orderSpec, Math.max(2, conf().numShufflePartitions()));
  }

  /** Returns the plan of the child's rows. */
  final SparkPlan rows() {
    return ColumnSource.rows(child());
  }

  /** Returns the plan of the child's columns, or null if it has rows. */
  final SparkPlan columns() {
    return child().supportsColumnar() ? child() : null;
  }

  @Override
  final RDD<InternalRow> results() {
    return SharedRanges.run(this::ranged);
  }

  private RDD<InternalRow> ranged() {
    return staysInPlace()
        ? input().ranged(RowPlacement.own(hasOrder()))
        : inFiles().map(input()::ranged).orElseGet(() -> input().shuffled(shared, conf()));
  }

  /** Returns where rows lie in files that are in order, and prepares to share a shuffle. */
  private Optional<RowPlacement> inFiles() {
    shared = SharedRanges.of(StencilRun.execution(sparkContext()), rows(), orderSpec);
    return readsNeighbours() ? Optional.empty() : shared.inFiles();
  }

  @Override
  public final boolean supportsColumnar() {
    return way.isColumns();
  }

  @Override
  public final RDD<ColumnarBatch> doExecuteColumnar() {
    RDD<ColumnarBatch> columns = SharedRanges.run(this::columnsOfRanges);
    StencilRun.post(sparkContext(), counts());
    return columns;
  }

  private RDD<ColumnarBatch> columnsOfRanges() {
    LoopPlan.Choice loops = loops();
    if (staysInPlace() || !loops.isLoops()) {
      return packed(ranged()); // options, or what is known of a table, have changed
    }
    return inFiles()
        .map(where -> input().rangedColumns(loops.plan(), where))
        .orElseGet(() -> input().shuffledColumns(loops.plan(), shared, conf()));
  }

  @Override
  final String remark() {
    if (isRanged()) {
      return " (known, nothing is shuffled)";
    }
    boolean fromColumns = child().supportsColumnar();
    if (way.isColumns()) {
      return SeriesWay.text(fromColumns, true);
    }
    String text = fromColumns ? SeriesWay.text(true, false) : "";
    LoopPlan.Choice loops = isSpreading() ? loops() : null;
    return loops == null || loops.isLoops()
        ? text
        : text + ", with rows of results as " + loops.reason();
  }

  @Override
  public final List<Object> elements() {
    return List.of(windows(), orderSpec, way, child());
  }
}
