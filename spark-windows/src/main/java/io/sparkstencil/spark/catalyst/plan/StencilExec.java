/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
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
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.plugin.CostModel;
import io.sparkstencil.spark.plugin.ProgramForecast;
import io.sparkstencil.spark.programs.ProgramOperation;
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
import org.apache.spark.sql.execution.RowToColumnarExec;
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
    return new StencilExec(series, cutting ? SeriesWay.RANGES : SeriesWay.COLUMNS, columns);
  }

  @Override
  public boolean isShuffling() {
    return way.isShuffling();
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
    return series.isGrouped() && !isShuffling()
        ? order().distribution(child())
        : ScalaInterop.seqOf(UnspecifiedDistribution$.MODULE$);
  }

  @Override
  public Seq<Seq<SortOrder>> requiredChildOrdering() {
    boolean sorted = series.isGrouped() && !order().canBeCollected(child().output());
    return ScalaInterop.seqOf(sorted ? order().full() : ScalaInterop.<SortOrder>seqOf());
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
      UnitOrder order = series.unitOrder(child().output(), task, KnownOrder.isOfWindows(child()));
      boolean sorted =
          SortOrder$.MODULE$.orderingSatisfies(child().outputOrdering(), order().full());
      return isShuffling()
          ? SeriesShuffle.run(task, order, conf(), child())
          : new GroupedInput(task, order, sorted).run(child().execute());
    }
    if (isRanged()) {
      return ranged(RowPlacement.own(hasOrder()));
    }
    RowOrder order = new RowOrder(series.orderSpec(), child().output());
    shared = SharedRanges.of(StencilRun.execution(sparkContext()), child(), series.orderSpec());
    return shared
        .inFiles()
        .map(this::ranged)
        .orElseGet(() -> new RangeShuffle(task, order, child(), conf()).run(shared));
  }

  private StencilTask task(Seq<Attribute> input) {
    return series.task(input, stencilMetrics());
  }

  private RDD<InternalRow> ranged(RowPlacement where) {
    return rangedInput(child().output(), where).run(where.rows(child()), () -> readEnds(where));
  }

  private RangedInput rangedInput(Seq<Attribute> input, RowPlacement where) {
    return new RangedInput(
        task(input),
        new RowOrder(series.orderSpec(), input),
        where.sorted(),
        where.distinct() || KnownOrder.isOfWindows(child()));
  }

  /** Tells whether the child's partitions each have their rows in the series' order. */
  private boolean hasOrder() {
    return SortOrder$.MODULE$.orderingSatisfies(child().outputOrdering(), series.orderSpec());
  }

  /** Reads the ends of the child's partitions, which is a job. */
  private List<PartitionEnds> readEnds(RowPlacement where) {
    SparkPlan narrow =
        NarrowPlan.of(
            child(), ScalaInterop.list(ScalaInterop.concat(series.stencils(), series.orderSpec())));
    return rangedInput(narrow.output(), where).read(narrow, where);
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
    return (series.ordered() || (isRanged() && hasOrder()))
        && child().supportsColumnar()
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
    if (way.isColumns()) {
      StencilTask task = task(child().output());
      UnitOrder by = order().unitOrder(child().output());
      result = SeriesShuffle.runColumns(task, by, conf(), child(), way == SeriesWay.RANGES);
    } else if (series.ordered()) {
      result = orderedInput().runColumnar(child().executeColumnar());
    } else if (isRanged() && hasOrder()) {
      RowPlacement own = RowPlacement.own(true);
      result =
          rangedInput(child().output(), own)
              .runColumnar(child().executeColumnar(), () -> readEnds(own));
    } else {
      // What was known of a cached table when this was planned has turned out to be wrong.
      return new RowToColumnarExec(this).executeColumnar();
    }
    StencilRun.post(sparkContext(), stencilMetrics());
    return result;
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
      return "";
    }
    boolean columns = order().reasonAgainstColumns(child().output()).isEmpty();
    return SeriesWay.text(columns && ColumnSource.of(child()) != null, columns);
  }

  @Override
  public String verboseStringWithOperatorId() {
    StagePlan plan = series.stages(child().output(), new ArrayList<>());
    List<List<StencilSpec>> stencils =
        plan.pipelines().stream()
            .map(StagePlan.Pipeline::specs)
            .filter(specs -> !specs.isEmpty())
            .toList();
    StringBuilder text = new StringBuilder(super.verboseStringWithOperatorId());
    String engine = series.conf().get(StencilOptions.ENGINE);
    if (!stencils.isEmpty()) {
      text.append("Engine: %s%n".formatted(CostModel.forecast(engine, stencils)));
    }
    for (StagePlan.Program each : plan.programs()) {
      ProgramOperation of = each.program().operation();
      ElementType type = plan.columns().get(each.column()).type();
      String forecast =
          ProgramForecast.of(engine, of.program(), type, of.steps(), "a chunk of rows");
      text.append("Engine of %s: %s%n".formatted(of, forecast));
    }
    return text.toString();
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
