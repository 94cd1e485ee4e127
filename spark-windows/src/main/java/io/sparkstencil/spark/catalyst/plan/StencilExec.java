/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.interop.UnaryOperator;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.source.MixedWindows;
import io.sparkstencil.spark.catalyst.source.NarrowPlan;
import io.sparkstencil.spark.catalyst.source.OperatorMetrics;
import io.sparkstencil.spark.catalyst.source.StencilInput;
import io.sparkstencil.spark.catalyst.source.StencilMetric;
import io.sparkstencil.spark.catalyst.source.WindowTask;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SortOrder$;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * Computes windows, which are stencils or others: of whole series, given by keys, which tasks
 * collect; or of one series of all rows, which is spread over partitions by ranges of its order, or
 * stays where it is if the child has such ranges, or is declared to come in order.
 */
public final class StencilExec extends UnaryOperator implements NarrowPlan.Narrowing {
  /** The name of the operator in plans. */
  static final String NODE_NAME = "Stencil";

  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> windows;
  private final Seq<Expression> partitionSpec;
  private final Seq<SortOrder> orderSpec;
  private final WindowPlace place;
  private final String engine;
  private final SeriesWay way;
  private final transient OperatorMetrics metrics = new OperatorMetrics();
  private final transient WindowRun run = new WindowRun(this);

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * @param windows windows with their names, all of them {@link StencilExpression}s or none
   * @param partitionSpec keys of the series; empty if all rows are one series
   * @param orderSpec the order of each series
   * @param place what tasks have of a series
   * @param engine the name of an engine for stencils, or {@code auto}
   * @param way how the rows of series are brought together
   * @param child the rows
   */
  public StencilExec(
      Seq<NamedExpression> windows,
      Seq<Expression> partitionSpec,
      Seq<SortOrder> orderSpec,
      WindowPlace place,
      String engine,
      SeriesWay way,
      SparkPlan child) {
    super(child);
    this.windows = windows;
    this.partitionSpec = partitionSpec;
    this.orderSpec = orderSpec;
    this.place = place;
    this.engine = engine;
    this.way = way;
  }

  private StencilExec with(SeriesWay newWay, SparkPlan newChild) {
    return new StencilExec(windows, partitionSpec, orderSpec, place, engine, newWay, newChild);
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return with(way, newChild);
  }

  /**
   * Returns this operator.
   *
   * @throws RuntimeException if its tasks could not be made, while Spark can still plan otherwise
   */
  SparkPlan verified() {
    if (!missingInput().isEmpty()) {
      throw new IllegalStateException(
          "columns %s are not among %s".formatted(missingInput(), child().output()));
    }
    place.plan(this);
    return this;
  }

  Seq<NamedExpression> windows() {
    return windows;
  }

  SeriesWay way() {
    return way;
  }

  /** Returns what tasks have of a series. */
  public WindowPlace place() {
    return place;
  }

  /** Tells whether the windows are stencils, which engines compute. */
  public boolean isStencils() {
    return !windows.isEmpty() && SeriesStencils.isOne(windows.apply(0));
  }

  SeriesStencils stencils() {
    return new SeriesStencils(ScalaInterop.list(windows), engine);
  }

  /** Returns the session's time zone. */
  ZoneId zone() {
    return DateTimeUtils.getZoneId(conf().sessionLocalTimeZone());
  }

  /** Returns the keys of the series, if there are any, and the order of each. */
  SeriesOrder order() {
    return new SeriesOrder(partitionSpec, orderSpec);
  }

  boolean takesWholeSeries() {
    return place == WindowPlace.SERIES;
  }

  /** Returns windows that are no stencils as they are computed of columns, if all of them are. */
  LoopPlan.Choice loops() {
    Seq<Attribute> input = child().output();
    return place.loops(this, LoopPlan.of(windows, orderSpec, input, zone(), takesWholeSeries()));
  }

  /** Returns the windows, if some are loops and others are none; else null. */
  MixedWindows mixed() {
    return takesWholeSeries()
        ? MixedWindows.of(windows, orderSpec, child().output(), zone())
        : null;
  }

  /** Tells whether this operator brings the rows of series together by itself. */
  public boolean isShuffling() {
    return takesWholeSeries() && way.isShuffling();
  }

  /** Tells whether all rows are one series that this operator spreads by ranges of its order. */
  boolean isSpreading() {
    return place.isRange() && !staysInPlace();
  }

  /** Tells whether this operator could bring the rows of series together by itself. */
  boolean canShuffle() {
    return takesWholeSeries() && !isShuffling() && order().canBeCollected(child().output());
  }

  /** Returns this operator over rows of any distribution, which it brings together by itself. */
  SparkPlan shuffling(SparkPlan newChild) {
    return with(SeriesWay.ROWS, newChild);
  }

  /**
   * Returns this operator, which shuffles or spreads by itself, over the columns of a child.
   *
   * @param cutting whether a series may come out in several partitions
   */
  SparkPlan overColumns(SparkPlan columns, boolean cutting) {
    if (isStencils()) {
      return with(cutting && isShuffling() ? SeriesWay.RANGES : SeriesWay.COLUMNS, columns);
    }
    return with(loops().isLoops() || mixed() != null ? SeriesWay.COLUMNS : way, columns);
  }

  @Override
  public Seq<Distribution> requiredChildDistribution() {
    return takesWholeSeries() && !isShuffling()
        ? order().distribution(child())
        : ScalaInterop.seqOf(UnspecifiedDistribution$.MODULE$);
  }

  @Override
  public Seq<Seq<SortOrder>> requiredChildOrdering() {
    boolean sorted = takesWholeSeries() && order().isSortedBySpark(child().output());
    return ScalaInterop.seqOf(sorted ? order().full() : ScalaInterop.<SortOrder>seqOf());
  }

  @Override
  public Partitioning outputPartitioning() {
    if (isShuffling() || place == WindowPlace.AS_THEY_COME) {
      return new UnknownPartitioning(0);
    }
    Partitioning below = child().outputPartitioning(); // asked for once, as windows below do so
    return takesWholeSeries() || isSorted(below)
        ? below
        // How many ranges there are is known when it runs; what matters is that it is not one.
        : new RangePartitioning(orderSpec, Math.max(2, conf().numShufflePartitions()));
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return order().full();
  }

  @Override
  public Seq<Attribute> output() {
    return ScalaInterop.concat(child().output(), results());
  }

  /** Returns the columns of the results. */
  Seq<Attribute> results() {
    List<Attribute> results = new ArrayList<>();
    ScalaInterop.list(windows).forEach(each -> results.add(each.toAttribute()));
    return ScalaInterop.seq(results);
  }

  /** Tells whether the child's partitions each have their rows in the windows' order. */
  boolean hasOrder() {
    return SortOrder$.MODULE$.orderingSatisfies(child().outputOrdering(), order().full());
  }

  /** Tells whether the child has all rows of one series in one partition and in order. */
  boolean isSorted() {
    return isSorted(child().outputPartitioning());
  }

  private boolean isSorted(Partitioning below) {
    return below instanceof SinglePartition$
        && hasOrder()
        && (!place.readsOnePartitionTwice(this) || KnownOrder.canBeReadAgain(child()));
  }

  boolean hasRanges() {
    return KnownOrder.hasRanges(child(), orderSpec);
  }

  /** Tells whether rows of one series stay in the child's partitions. */
  boolean staysInPlace() {
    return isSorted() || hasRanges();
  }

  /** Tells whether stencils sort the ranges that the child has of one series. */
  boolean sortsRanges() {
    return place == WindowPlace.CELLS && hasRanges();
  }

  /** Tells whether rows and results of one series are the same when they are read again. */
  boolean canBeReadAgain() {
    // The child is asked first, and once: whether rows stay in place depends on its answer too.
    return place.isRange() && (KnownOrder.canBeReadAgain(child()) || !staysInPlace());
  }

  /** Tells whether rows that tie are in the same order each time, as results depend on it. */
  boolean ordersTies() {
    return place.ordersTies(this);
  }

  @Override
  public SparkPlan without(Predicate<NamedExpression> unwanted) {
    List<NamedExpression> kept = new ArrayList<>(ScalaInterop.list(windows));
    kept.removeIf(unwanted);
    if (place == WindowPlace.HALOS) { // rows and their order are the same without some windows
      return new StencilExec(
          ScalaInterop.seq(kept), partitionSpec, orderSpec, place, engine, way, child());
    }
    if (place != WindowPlace.STATES) {
      return null;
    }
    boolean isBelow = kept.isEmpty() && staysInPlace() && hasOrder();
    SparkPlan below = // which has the same rows in the same order
        isBelow && child() instanceof NarrowPlan.Narrowing same ? same.without(unwanted) : null;
    return below == null ? this : below;
  }

  java.util.Map<StencilMetric, SQLMetric> counts() {
    return metrics.of(sparkContext(), StencilMetric.OF_OPERATOR);
  }

  /** Returns the task of the operator, with the options of the session. */
  WindowTask task() {
    return new WindowTask(SessionOptions.withEngine(SessionOptions.ofSession(), engine), counts());
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return ScalaInterop.map(StencilMetric.byName(counts()));
  }

  /** Returns the plan of the child's rows. */
  SparkPlan rows() {
    return ColumnSource.rows(child());
  }

  /** Returns the plan of the child's columns, or null if it has rows. */
  SparkPlan columns() {
    return child().supportsColumnar() ? child() : null;
  }

  @Override
  public RDD<InternalRow> doExecute() {
    return run.rows();
  }

  /**
   * Tells whether columns come out: of rows that are brought together or spread as columns, and of
   * stencils over columns that come in order.
   */
  @Override
  public boolean supportsColumnar() {
    return way.isColumns() || hasColumnsInOrder();
  }

  /** Tells whether stencils are computed of columns that come in order. */
  boolean hasColumnsInOrder() {
    boolean inOrder = place == WindowPlace.AS_THEY_COME || (sortsRanges() && hasOrder());
    return inOrder
        && partitionSpec.isEmpty()
        && StencilInput.staysColumns(child(), orderSpec)
        && stencils().calls().stream().noneMatch(each -> each.operation().wraps());
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    return run.columns();
  }

  @Override
  public String nodeName() {
    return NODE_NAME;
  }

  @Override
  public String argString(int maxFields) {
    return WindowText.of(this, maxFields);
  }

  @Override
  public String verboseStringWithOperatorId() {
    String engines = isStencils() ? stencils().engines(child().output()) : "";
    return super.verboseStringWithOperatorId() + engines;
  }

  @Override
  public List<Object> elements() {
    return List.of(windows, partitionSpec, orderSpec, place, engine, way, child());
  }
}
