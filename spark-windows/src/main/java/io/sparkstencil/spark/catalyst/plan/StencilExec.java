/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.columns.ColumnRows;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.UnaryOperator;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.source.GroupedInput;
import io.sparkstencil.spark.catalyst.source.NarrowPlan;
import io.sparkstencil.spark.catalyst.source.OperatorMetrics;
import io.sparkstencil.spark.catalyst.source.OrderedInput;
import io.sparkstencil.spark.catalyst.source.RangeShuffle;
import io.sparkstencil.spark.catalyst.source.RangedInput;
import io.sparkstencil.spark.catalyst.source.RowPlacement;
import io.sparkstencil.spark.catalyst.source.SeriesShuffle;
import io.sparkstencil.spark.catalyst.source.SharedRanges;
import io.sparkstencil.spark.catalyst.source.StencilMetric;
import io.sparkstencil.spark.catalyst.source.StencilRun;
import io.sparkstencil.spark.catalyst.source.StencilTask;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.exec.PartitionEnds;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SortOrder$;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * Runs stencils over ordered rows. Series given by keys are clustered and sorted; one series of all
 * rows is spread over partitions by ranges, with halos; an input that is ordered already is read as
 * it is.
 */
public final class StencilExec extends UnaryOperator implements SeriesOperator {
  /** The name of all operators that compute windows, in plans. */
  static final String NODE_NAME = "Stencil";

  private static final long serialVersionUID = 1L;

  private final SeriesStencils series;
  private final SeriesWay way;
  private final transient OperatorMetrics metrics = new OperatorMetrics();
  private transient SharedRanges shared; // held for operators that run later

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * <p>The first parameters are the components of {@link SeriesStencils}.
   *
   * @param way how the rows of series are brought together
   * @param child the rows
   */
  public StencilExec(
      Seq<Expression> stencils,
      Seq<Attribute> results,
      Seq<Expression> partitionSpec,
      Seq<SortOrder> orderSpec,
      boolean ordered,
      String engine,
      SeriesWay way,
      SparkPlan child) {
    this(
        new SeriesStencils(stencils, results, partitionSpec, orderSpec, ordered, engine),
        way,
        child);
  }

  /** Creates the operator over rows that Spark brings together where that is needed. */
  public StencilExec(SeriesStencils series, SparkPlan child) {
    this(series, SeriesWay.TOGETHER, child);
  }

  private StencilExec(SeriesStencils series, SeriesWay way, SparkPlan child) {
    super(child);
    this.series = series;
    this.way = way;
  }

  /**
   * Returns this operator.
   *
   * @throws RuntimeException if its tasks could not be made, while Spark can still plan otherwise
   */
  public StencilExec verified() {
    if (!missingInput().isEmpty()) {
      throw new IllegalStateException(
          "columns %s are not among %s".formatted(missingInput(), child().output()));
    }
    series.stages(child().output(), new ArrayList<>());
    return this;
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new StencilExec(series, way, newChild);
  }

  @Override
  public SeriesOrder order() {
    return series.order();
  }

  @Override
  public StencilExec shuffling(SparkPlan newChild) {
    return new StencilExec(series, SeriesWay.ROWS, newChild);
  }

  @Override
  public SparkPlan overColumns(SparkPlan columns, boolean cutting) {
    boolean cuts = cutting && series.isGrouped();
    return new StencilExec(series, cuts ? SeriesWay.RANGES : SeriesWay.COLUMNS, columns);
  }

  @Override
  public boolean isShuffling() {
    return series.isGrouped() && way.isShuffling();
  }

  @Override
  public boolean isSpreading() {
    return isOneSeries() && !isSorted() && !isRanged();
  }

  @Override
  public boolean canShuffle() {
    return series.isGrouped() && !isShuffling() && order().canBeCollected(child().output());
  }

  @Override
  public Seq<Attribute> output() {
    return series.output(child().output());
  }

  @Override
  public Seq<Distribution> requiredChildDistribution() {
    return (series.isGrouped() && !isShuffling()) || isTogetherAsSparks()
        ? order().distribution(child())
        : ScalaInterop.seqOf(UnspecifiedDistribution$.MODULE$);
  }

  @Override
  public Seq<Seq<SortOrder>> requiredChildOrdering() {
    boolean sorted =
        isTogetherAsSparks() || (series.isGrouped() && !order().canBeCollected(child().output()));
    return ScalaInterop.seqOf(sorted ? order().full() : ScalaInterop.<SortOrder>seqOf());
  }

  /** Tells whether Spark brings all rows into one partition and sorts them there. */
  private boolean isTogetherAsSparks() {
    return !series.ordered() && order().isTogetherAsSparks();
  }

  /** Tells whether the child has all rows in one partition and in order. */
  private boolean isSorted() {
    return isOneSeries() && child().outputPartitioning() instanceof SinglePartition$ && hasOrder();
  }

  /**
   * Tells whether all rows are one series that this operator puts in order. Its results are the
   * same when they are read again: rows were shuffled for them, or the child's can be read again,
   * and those that tie have an order. Series given by keys take ties as they come.
   */
  boolean isOneSeries() {
    return !series.ordered() && series.partitionSpec().isEmpty();
  }

  /** Tells whether the rows of the one series can stay in the child's partitions. */
  boolean isRanged() {
    return isOneSeries() && KnownOrder.hasRanges(child(), series.orderSpec());
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return order().full();
  }

  @Override
  public Partitioning outputPartitioning() {
    if (isShuffling()) {
      return new UnknownPartitioning(0);
    }
    if (series.isGrouped() || isSorted()) {
      return child().outputPartitioning();
    }
    // How many ranges there are is known when it runs; what matters is that it is not one.
    return series.ordered()
        ? new UnknownPartitioning(0)
        : new RangePartitioning(series.orderSpec(), Math.max(2, conf().numShufflePartitions()));
  }

  private java.util.Map<StencilMetric, SQLMetric> stencilMetrics() {
    return metrics.of(sparkContext(), StencilMetric.OF_STENCILS);
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return ScalaInterop.map(StencilMetric.byName(stencilMetrics()));
  }

  @Override
  public RDD<InternalRow> doExecute() {
    RDD<InternalRow> result = SharedRanges.run(this::results);
    StencilRun.post(sparkContext(), stencilMetrics());
    return result;
  }

  private RDD<InternalRow> results() {
    if (series.ordered()) {
      return orderedInput().run(child().execute());
    }
    StencilTask task = task(child().output());
    if (series.isGrouped() || isSorted()) {
      boolean keepsTies = isTogetherAsSparks() || KnownOrder.isOfWindows(child());
      UnitOrder order = series.unitOrder(child().output(), task, keepsTies);
      boolean sorted =
          SortOrder$.MODULE$.orderingSatisfies(child().outputOrdering(), order().full());
      return isShuffling()
          ? ColumnRows.of(schema(), shuffled(task, false))
          : new GroupedInput(task, order, sorted).run(child().execute());
    }
    if (isRanged()) {
      return ranged(RowPlacement.own(hasOrder()));
    }
    // A session without our rules has Spark make no rows of columns.
    return shared()
        .inFiles()
        .map(this::ranged)
        .orElseGet(() -> ColumnRows.of(schema(), rangeShuffle().run(shared)));
  }

  private RDD<ColumnarBatch> shuffled(StencilTask task, boolean cutting) {
    UnitOrder by = order().unitOrder(child().output());
    return SeriesShuffle.runColumns(task, by, conf(), child(), cutting);
  }

  /** Returns what operators share that want the same rows in the same order. */
  private SharedRanges shared() {
    shared = SharedRanges.of(StencilRun.execution(sparkContext()), rows(), series.orderSpec());
    return shared;
  }

  private RangeShuffle rangeShuffle() {
    return new RangeShuffle(
        task(child().output()),
        new RowOrder(series.orderSpec(), child().output()),
        rows(),
        child().supportsColumnar() ? child() : null,
        conf());
  }

  /** Returns the plan of the child's rows. */
  private SparkPlan rows() {
    return ColumnSource.rows(child());
  }

  private StencilTask task(Seq<Attribute> input) {
    return series.task(input, stencilMetrics());
  }

  private RDD<InternalRow> ranged(RowPlacement where) {
    return rangedInput(child().output(), series.orderSpec(), where)
        .run(where.rows(rows()), () -> readEnds(where));
  }

  private RangedInput rangedInput(Seq<Attribute> input, Seq<SortOrder> by, RowPlacement where) {
    return new RangedInput(
        task(input),
        new RowOrder(by, input),
        where.sorted(),
        where.distinct() || KnownOrder.isOfWindows(child()));
  }

  /** Tells whether the child's partitions each have their rows in the series' order. */
  private boolean hasOrder() {
    return SortOrder$.MODULE$.orderingSatisfies(child().outputOrdering(), series.orderSpec());
  }

  /** Reads the ends of the child's partitions, which is a job. */
  private List<PartitionEnds> readEnds(RowPlacement where) {
    boolean isEnough = where.distinct() && series.stencils().exists(s -> !s.references().isEmpty());
    Seq<SortOrder> by = isEnough ? ScalaInterop.seqOf() : series.orderSpec();
    SparkPlan narrow =
        NarrowPlan.of(rows(), ScalaInterop.list(ScalaInterop.concat(series.stencils(), by)));
    return rangedInput(narrow.output(), by, where).read(narrow, where);
  }

  private OrderedInput orderedInput() {
    return new OrderedInput(
        task(child().output()),
        new RowOrder(order().full(), child().output()),
        series.partitionSpec().isEmpty() ? null : new RowOrder(order().ofKeys(), child().output()));
  }

  /**
   * Tells whether columns come out: of series that are kept as columns, and for an input of
   * fixed-width columns, one of which is the whole order, that is declared or known to be in it.
   */
  @Override
  public boolean supportsColumnar() {
    return way.isColumns() || hasColumnsInOrder();
  }

  private boolean hasColumnsInOrder() {
    return (series.ordered() || (isRanged() && hasOrder())) && canStayColumnsInOrder();
  }

  private boolean canStayColumnsInOrder() {
    return child().supportsColumnar()
        && series.partitionSpec().isEmpty()
        && new RowOrder(series.orderSpec(), child().output()).isIntegral()
        && ScalaInterop.list(child().output()).stream()
            .allMatch(a -> ColumnarLayout.elementType(a.dataType()) != null)
        && ScalaInterop.list(series.stencils()).stream()
            .noneMatch(s -> ((StencilExpression) s).operation().wraps());
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    return SharedRanges.run(this::columns);
  }

  private RDD<ColumnarBatch> columns() {
    RDD<ColumnarBatch> result;
    if (isShuffling()) {
      result = shuffled(task(child().output()), way == SeriesWay.RANGES);
    } else if (series.ordered()) {
      result = orderedInput().runColumnar(child().executeColumnar());
    } else if (hasColumnsInOrder()) {
      result = rangedColumns(RowPlacement.own(true));
    } else if (isSpreading()) {
      result =
          shared().inFiles().map(this::rangedColumns).orElseGet(() -> rangeShuffle().run(shared));
    } else {
      // What was known of a cached table when this was planned has turned out to be wrong.
      result = task(child().output()).packed(results());
    }
    StencilRun.post(sparkContext(), stencilMetrics());
    return result;
  }

  /** Returns the columns of rows that stay where they are, with those of their results. */
  private RDD<ColumnarBatch> rangedColumns(RowPlacement where) {
    return where.sorted() && canStayColumnsInOrder()
        ? rangedInput(child().output(), series.orderSpec(), where)
            .runColumnar(where.columns(child()), () -> readEnds(where))
        : task(child().output()).packed(ranged(where));
  }

  @Override
  public String argString(int maxFields) {
    String asIs =
        series.ordered() ? " (as the rows are)" : isRanged() ? " (known, nothing is shuffled)" : "";
    return series.text(maxFields)
        + asIs
        + columnText()
        + ", engine "
        + series.conf().get(StencilOptions.ENGINE);
  }

  /** Says what the operator shuffles, and before {@link SeriesColumnsRule} what it is going to. */
  private String columnText() {
    if (!isShuffling()) {
      return isSpreading() && way.isColumns()
          ? SeriesWay.text(child().supportsColumnar(), true)
          : "";
    }
    return SeriesWay.text(ColumnSource.of(child()) != null, true);
  }

  @Override
  public String verboseStringWithOperatorId() {
    return super.verboseStringWithOperatorId() + series.engines(child().output());
  }

  @Override
  public AttributeSet producedAttributes() {
    return series.produced();
  }

  @Override
  public List<Object> elements() {
    return series.elements(way, child());
  }
}
