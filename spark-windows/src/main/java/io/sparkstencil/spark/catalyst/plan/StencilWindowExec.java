/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.columns.BatchPacker;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.interop.UnaryOperator;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.source.GroupedInput;
import io.sparkstencil.spark.catalyst.source.MixedWindows;
import io.sparkstencil.spark.catalyst.source.NarrowPlan;
import io.sparkstencil.spark.catalyst.source.OperatorMetrics;
import io.sparkstencil.spark.catalyst.source.RowPlacement;
import io.sparkstencil.spark.catalyst.source.SeriesShuffle;
import io.sparkstencil.spark.catalyst.source.SeriesWindowTask;
import io.sparkstencil.spark.catalyst.source.SharedRanges;
import io.sparkstencil.spark.catalyst.source.StencilMetric;
import io.sparkstencil.spark.catalyst.source.StencilRun;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * Computes windows that are no stencils: of whole series, given by keys, which tasks collect; or of
 * one series of all rows, which is spread over partitions by ranges of its order, or stays where it
 * is if the child has such ranges.
 */
public final class StencilWindowExec extends UnaryOperator
    implements SeriesOperator, NarrowPlan.Narrowing {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> windowExpression;
  private final Seq<Expression> partitionSpec;
  private final Seq<SortOrder> orderSpec;
  private final WindowPlace place;
  private final SeriesWay way;
  private final transient OperatorMetrics metrics = new OperatorMetrics();
  private transient SharedRanges shared; // held for operators that run later

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * @param windowExpression windows with their names; those of {@link WindowPlace#STATES} by their
   *     {@link io.sparkstencil.spark.catalyst.running.RunningPlan#place}
   * @param partitionSpec keys of the series; empty if all rows are one series
   * @param orderSpec the order of each series
   * @param place what tasks have of a series
   * @param way how the rows of series are brought together, never in ranges
   * @param child the rows
   */
  public StencilWindowExec(
      Seq<NamedExpression> windowExpression,
      Seq<Expression> partitionSpec,
      Seq<SortOrder> orderSpec,
      WindowPlace place,
      SeriesWay way,
      SparkPlan child) {
    super(child);
    this.windowExpression = windowExpression;
    this.partitionSpec = partitionSpec;
    this.orderSpec = orderSpec;
    this.place = place;
    this.way = way;
  }

  private StencilWindowExec with(SeriesWay newWay, SparkPlan newChild) {
    return new StencilWindowExec(
        windowExpression, partitionSpec, orderSpec, place, newWay, newChild);
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
    return windowExpression;
  }

  /** Returns what tasks have of a series. */
  public WindowPlace place() {
    return place;
  }

  /** Returns the session's time zone. */
  ZoneId zone() {
    return DateTimeUtils.getZoneId(conf().sessionLocalTimeZone());
  }

  /** Returns the keys of the series, if there are any, and the order of each. */
  @Override
  public SeriesOrder order() {
    return new SeriesOrder(partitionSpec, orderSpec);
  }

  private boolean takesWholeSeries() {
    return place == WindowPlace.SERIES;
  }

  /** Returns the windows as they are computed of columns, where all of them are. */
  private LoopPlan.Choice loops() {
    Seq<Attribute> input = child().output();
    return place.loops(
        this, LoopPlan.of(windowExpression, orderSpec, input, zone(), takesWholeSeries()));
  }

  /** Returns the windows, if some are loops and others are none; else null. */
  private MixedWindows mixed() {
    return takesWholeSeries()
        ? MixedWindows.of(windowExpression, orderSpec, child().output(), zone())
        : null;
  }

  @Override
  public boolean isShuffling() {
    return takesWholeSeries() && way.isShuffling();
  }

  @Override
  public boolean isSpreading() {
    return !takesWholeSeries() && !staysInPlace();
  }

  @Override
  public boolean canShuffle() {
    return takesWholeSeries() && !isShuffling() && order().canBeCollected(child().output());
  }

  @Override
  public SparkPlan shuffling(SparkPlan newChild) {
    return with(SeriesWay.ROWS, newChild);
  }

  @Override
  public SparkPlan overColumns(SparkPlan columns, boolean cutting) {
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
    boolean sorted = takesWholeSeries() && !order().canBeCollected(child().output());
    return ScalaInterop.seqOf(sorted ? order().full() : ScalaInterop.<SortOrder>seqOf());
  }

  @Override
  public Partitioning outputPartitioning() {
    if (isShuffling()) {
      return new UnknownPartitioning(0);
    }
    return takesWholeSeries() || isSorted()
        ? child().outputPartitioning()
        // How many ranges there are is known when it runs; what matters is that it is not one.
        : new RangePartitioning(orderSpec, Math.max(2, conf().numShufflePartitions()));
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return order().full();
  }

  @Override
  public Seq<Attribute> output() {
    List<Attribute> results = new ArrayList<>();
    ScalaInterop.list(windowExpression).forEach(each -> results.add(each.toAttribute()));
    return ScalaInterop.concat(child().output(), ScalaInterop.seq(results));
  }

  /** Tells whether the child's partitions each have their rows in the windows' order. */
  private boolean hasOrder() {
    return SortOrder$.MODULE$.orderingSatisfies(child().outputOrdering(), order().full());
  }

  /** Tells whether the child has all rows of one series in one partition and in order. */
  private boolean isSorted() {
    return child().outputPartitioning() instanceof SinglePartition$
        && hasOrder()
        && (!place.readsOnePartitionTwice(this) || KnownOrder.canBeReadAgain(child()));
  }

  /** Tells whether rows of one series stay in the child's partitions. */
  boolean staysInPlace() {
    return isSorted() || KnownOrder.hasRanges(child(), orderSpec);
  }

  /** Tells whether rows and results of one series are the same when they are read again. */
  boolean canBeReadAgain() {
    return !takesWholeSeries() && (!staysInPlace() || KnownOrder.canBeReadAgain(child()));
  }

  /** Tells whether rows that tie are in the same order each time, as results depend on it. */
  boolean ordersTies() {
    return place.ordersTies(this);
  }

  @Override
  public SparkPlan without(Predicate<NamedExpression> unwanted) {
    List<NamedExpression> kept = new ArrayList<>(ScalaInterop.list(windowExpression));
    kept.removeIf(unwanted);
    if (place == WindowPlace.HALOS) { // rows and their order are the same without some windows
      Seq<NamedExpression> windows = ScalaInterop.seq(kept);
      return new StencilWindowExec(windows, partitionSpec, orderSpec, place, way, child());
    }
    if (takesWholeSeries()) {
      return null;
    }
    boolean isBelow = kept.isEmpty() && staysInPlace() && hasOrder();
    SparkPlan below = // which has the same rows in the same order
        isBelow && child() instanceof NarrowPlan.Narrowing same ? same.without(unwanted) : null;
    return below == null ? this : below;
  }

  java.util.Map<StencilMetric, SQLMetric> counts() {
    return metrics.of(sparkContext(), place.counted());
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

  private SeriesWindowTask task() {
    return new SeriesWindowTask(WindowPlace.frames(this), SessionOptions.ofSession(), counts());
  }

  @Override
  public RDD<InternalRow> doExecute() {
    RDD<InternalRow> results = results();
    StencilRun.post(sparkContext(), counts());
    return results;
  }

  private RDD<InternalRow> results() {
    if (!takesWholeSeries()) {
      return SharedRanges.run(this::ranged);
    }
    UnitOrder by = order().unitOrder(child().output());
    return isShuffling()
        ? SeriesShuffle.runCollected(task(), by, conf(), child())
        : new GroupedInput(task(), by, hasOrder()).run(child().execute());
  }

  private RDD<InternalRow> ranged() {
    return staysInPlace()
        ? place.input(this).ranged(RowPlacement.own(hasOrder()))
        : inFiles()
            .map(place.input(this)::ranged)
            .orElseGet(() -> place.input(this).shuffled(shared, conf()));
  }

  /** Returns where rows lie in files that are in order, and prepares to share a shuffle. */
  private Optional<RowPlacement> inFiles() {
    shared = SharedRanges.of(StencilRun.execution(sparkContext()), rows(), orderSpec);
    return place.readsNeighbours() ? Optional.empty() : shared.inFiles();
  }

  @Override
  public boolean supportsColumnar() {
    return way.isColumns();
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    RDD<ColumnarBatch> columns =
        takesWholeSeries() ? columnsOfSeries() : SharedRanges.run(this::columnsOfRanges);
    StencilRun.post(sparkContext(), counts());
    return columns;
  }

  private RDD<ColumnarBatch> columnsOfSeries() {
    MixedWindows mixed = mixed();
    LoopPlan plan = mixed == null ? loops().plan() : mixed.loops();
    return plan == null
        ? packed(results()) // options may have changed since this was planned
        : SeriesShuffle.runLoops(
            task(), plan, mixed, order().unitOrder(child().output()), conf(), child());
  }

  private RDD<ColumnarBatch> columnsOfRanges() {
    LoopPlan.Choice loops = loops();
    if (staysInPlace() || !loops.isLoops()) {
      return packed(ranged()); // options, or what is known of a table, have changed
    }
    return inFiles()
        .map(where -> place.input(this).rangedColumns(loops.plan(), where))
        .orElseGet(() -> place.input(this).shuffledColumns(loops.plan(), shared, conf()));
  }

  /** Returns rows with their results as columns. */
  private RDD<ColumnarBatch> packed(RDD<InternalRow> rows) {
    List<Attribute> results = new ArrayList<>();
    ScalaInterop.list(windowExpression).forEach(each -> results.add(each.toAttribute()));
    return BatchPacker.of(
        DataTypeUtils.fromAttributes(child().output()),
        DataTypeUtils.fromAttributes(ScalaInterop.seq(results)),
        rows);
  }

  @Override
  public String nodeName() {
    return StencilExec.NODE_NAME;
  }

  @Override
  public String argString(int maxFields) {
    String remark = takesWholeSeries() ? remarkOfSeries() : remarkOfRanges();
    return windowExpression.mkString("[", ", ", "]") + order().text() + remark;
  }

  private String remarkOfSeries() {
    if (!isShuffling()) {
      return "";
    }
    LoopPlan.Choice loops = loops();
    if (loops.isLoops()) {
      return ", shuffled as columns, with columns of results";
    }
    return mixed() == null
        ? ", shuffled as columns, with rows of results as " + loops.reason()
        : ", shuffled as columns, with columns of results but for " + loops.reason();
  }

  private String remarkOfRanges() {
    if (KnownOrder.hasRanges(child(), orderSpec)) {
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
  public List<Object> elements() {
    return List.of(windowExpression, partitionSpec, orderSpec, place, way, child());
  }
}
