/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
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
import scala.collection.immutable.Seq;

/**
 * An operator of windows of one series of all rows. They are spread over partitions by ranges of
 * their order, or stay where they are if the child has such ranges.
 */
abstract class OneSeriesExec extends WindowOperator implements NarrowPlan.Narrowing {
  private static final long serialVersionUID = 1L;

  private final Seq<SortOrder> orderSpec;
  private transient SharedRanges shared; // held for operators that run later

  OneSeriesExec(Seq<NamedExpression> windows, Seq<SortOrder> orderSpec, SparkPlan child) {
    super(windows, new SeriesOrder(ScalaInterop.seqOf(), orderSpec), child);
    this.orderSpec = orderSpec;
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

  /** Returns this operator over the columns that the child makes rows of, if it shuffles those. */
  final SparkPlan fromColumns() {
    boolean possible =
        !staysInPlace()
            && !child().supportsColumnar()
            && order().reasonAgainstColumns(child().output()).isEmpty();
    SparkPlan columns = possible ? ColumnSource.of(child()) : null;
    if (columns == null) {
      return this;
    }
    SparkPlan made = withNewChildInternal(columns);
    made.copyTagsFrom(this);
    return made;
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
    if (staysInPlace()) {
      return input().ranged(RowPlacement.own(hasOrder()));
    }
    shared = SharedRanges.of(StencilRun.execution(sparkContext()), rows(), orderSpec);
    Optional<RowPlacement> files = readsNeighbours() ? Optional.empty() : shared.inFiles();
    return files.map(input()::ranged).orElseGet(() -> input().shuffled(shared, conf()));
  }

  @Override
  final String remark() {
    if (isRanged()) {
      return " (known, nothing is shuffled)";
    }
    return child().supportsColumnar() ? SeriesWay.text(true, false) : "";
  }

  @Override
  public final List<Object> elements() {
    return List.of(windows(), orderSpec, child());
  }
}
