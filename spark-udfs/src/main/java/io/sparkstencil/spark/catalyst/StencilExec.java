/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.exec.SeriesEdges;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.exec.StencilCall;
import io.sparkstencil.spark.plugin.EngineForecast;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SortOrder$;
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.internal.SQLConf$;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Option;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * Runs stencils over ordered rows. Series given by keys are clustered and sorted; one series of all
 * rows is spread over partitions by ranges, with halos; an input that is ordered already is read as
 * it is.
 */
public final class StencilExec extends SparkPlan implements UnaryExecNode {
  private static final long serialVersionUID = 1L;

  private final Seq<Expression> stencils;
  private final Seq<Attribute> results;
  private final Seq<Expression> partitionSpec;
  private final Seq<SortOrder> orderSpec;
  private final boolean ordered;
  private final String engine;
  private final boolean shuffling;
  private final SparkPlan child;
  private final transient Object metricsLock = new Object();
  private transient Seq<SparkPlan> children;
  private transient StencilMetrics metrics;
  private transient SharedRanges shared; // held for operators that run later

  /** Creates the operator; the parameters are those of {@link StencilNode}. */
  public StencilExec(
      Seq<Expression> stencils,
      Seq<Attribute> results,
      Seq<Expression> partitionSpec,
      Seq<SortOrder> orderSpec,
      boolean ordered,
      String engine,
      SparkPlan child) {
    this(stencils, results, partitionSpec, orderSpec, ordered, engine, false, child);
  }

  /**
   * Creates the operator.
   *
   * @param shuffling whether the operator brings the rows of series together by itself
   */
  public StencilExec(
      Seq<Expression> stencils,
      Seq<Attribute> results,
      Seq<Expression> partitionSpec,
      Seq<SortOrder> orderSpec,
      boolean ordered,
      String engine,
      boolean shuffling,
      SparkPlan child) {
    this.stencils = stencils;
    this.results = results;
    this.partitionSpec = partitionSpec;
    this.orderSpec = orderSpec;
    this.ordered = ordered;
    this.engine = engine;
    this.shuffling = shuffling;
    this.child = child;
  }

  @Override
  public SparkPlan child() {
    return child;
  }

  @Override
  public Seq<SparkPlan> children() {
    if (children == null) {
      children = ScalaInterop.seqOf(child);
    }
    return children;
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new StencilExec(
        stencils, results, partitionSpec, orderSpec, ordered, engine, shuffling, newChild);
  }

  /** Returns this operator over rows of any distribution, which it brings together by itself. */
  StencilExec shuffling(SparkPlan newChild) {
    return new StencilExec(
        stencils, results, partitionSpec, orderSpec, ordered, engine, true, newChild);
  }

  /** Tells whether this operator could bring the rows of series together by itself. */
  boolean canShuffle() {
    return isGrouped() && !shuffling && collects();
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> newChildren) {
    return withNewChildInternal(newChildren.apply(0));
  }

  @Override
  public Seq<Attribute> output() {
    return ScalaInterop.concat(child.output(), results);
  }

  private boolean isGrouped() {
    return !partitionSpec.isEmpty() && !ordered;
  }

  @Override
  public Seq<Distribution> requiredChildDistribution() {
    return ScalaInterop.<Distribution>seqOf(
        isGrouped() && !shuffling
            ? new ClusteredDistribution(partitionSpec, wantsAllKeys(), Option.empty())
            : UnspecifiedDistribution$.MODULE$);
  }

  /** Tells whether rows must be clustered by all keys, not by some of them, as the session says. */
  private boolean wantsAllKeys() {
    return (boolean) conf().getConf(SQLConf$.MODULE$.REQUIRE_ALL_CLUSTER_KEYS_FOR_DISTRIBUTION());
  }

  @Override
  public Seq<Seq<SortOrder>> requiredChildOrdering() {
    return ScalaInterop.seqOf(
        isGrouped() && !collects() ? fullOrder() : ScalaInterop.<SortOrder>seqOf());
  }

  /** Tells whether this operator puts the rows of series in order itself. */
  private boolean collects() {
    return new RowOrder(keyOrder(), child.output()).hasBinaryKeys();
  }

  /** Tells whether the child has all rows in one partition and in order. */
  private boolean isSorted() {
    return !ordered
        && partitionSpec.isEmpty()
        && child.outputPartitioning() instanceof SinglePartition$
        && SortOrder$.MODULE$.orderingSatisfies(child.outputOrdering(), orderSpec);
  }

  /** Tells whether the rows of the one series can stay in the child's partitions. */
  boolean isRanged() {
    return !ordered && partitionSpec.isEmpty() && KnownOrder.hasRanges(child, orderSpec);
  }

  /** Returns the order of series' keys and, within a series, of its rows. */
  private Seq<SortOrder> fullOrder() {
    List<SortOrder> keys = new ArrayList<>();
    ScalaInterop.list(partitionSpec).forEach(key -> keys.add(DatasetPlans.ascending(key)));
    return ScalaInterop.concat(ScalaInterop.seq(keys), orderSpec);
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return fullOrder();
  }

  @Override
  public Partitioning outputPartitioning() {
    if (shuffling) {
      return new UnknownPartitioning(0);
    }
    if (isGrouped() || isSorted()) {
      return child.outputPartitioning();
    }
    // How many ranges there are is known when it runs; what matters is that it is not one.
    return ordered
        ? new UnknownPartitioning(0)
        : new RangePartitioning(orderSpec, Math.max(2, conf().numShufflePartitions()));
  }

  private StencilMetrics stencilMetrics() {
    synchronized (metricsLock) {
      if (metrics == null) {
        metrics = StencilMetrics.create(sparkContext());
      }
      return metrics;
    }
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return ScalaInterop.map(stencilMetrics().byName());
  }

  @Override
  public RDD<InternalRow> doExecute() {
    StencilTask task = task();
    RDD<InternalRow> result;
    if (ordered) {
      result = orderedInput(task).run(child.execute());
    } else if (shuffling) {
      result = new SeriesShuffle(task, unitOrder(task), conf()).run(child.execute());
    } else if (isGrouped() || isSorted()) {
      boolean inOrder = SortOrder$.MODULE$.orderingSatisfies(child.outputOrdering(), fullOrder());
      result =
          child
              .execute()
              .mapPartitionsWithEvaluator(
                  inOrder ? inOrder(task) : collecting(task), ScalaInterop.tag(InternalRow.class));
    } else {
      RowOrder order = new RowOrder(orderSpec, child.output());
      boolean sorted = SortOrder$.MODULE$.orderingSatisfies(child.outputOrdering(), orderSpec);
      if (isRanged()) {
        SparkPlan narrow =
            NarrowPlan.of(child, ScalaInterop.list(ScalaInterop.concat(stencils, orderSpec)));
        RangedInput edges =
            new RangedInput(task(narrow.output()), order.of(narrow.output()), sorted);
        result =
            new RangedInput(task, order, sorted)
                .run(child.execute(), () -> edges.read(narrow.execute()));
      } else {
        shared = SharedRanges.of(executionId(), child, orderSpec);
        result = new RangeShuffle(task, order, child, conf()).run(shared);
      }
    }
    postDriverMetrics();
    return result;
  }

  private String executionId() {
    return sparkContext().getLocalProperty("spark.sql.execution.id");
  }

  private void postDriverMetrics() {
    SparkContext context = sparkContext();
    String execution = executionId();
    List<SQLMetric> all = List.copyOf(stencilMetrics().byName().values());
    SQLMetrics.postDriverMetricUpdates(context, execution, ScalaInterop.seq(all));
    context.listenerBus().post(new StencilRun(execution, stencilMetrics()));
  }

  private Seq<SortOrder> keyOrder() {
    List<SortOrder> keys = new ArrayList<>();
    ScalaInterop.list(partitionSpec).forEach(key -> keys.add(DatasetPlans.ascending(key)));
    return ScalaInterop.seq(keys);
  }

  /** Returns what runs over partitions that hold whole series, one after the other. */
  private PartitionEvaluatorFactory<InternalRow, InternalRow> inOrder(StencilTask task) {
    RowOrder keys = isGrouped() ? new RowOrder(keyOrder(), child.output()) : null;
    boolean wholeSeries = task.plan().wraps();
    int pipelines = task.plan().pipelines().size();
    return () ->
        (index, inputs) ->
            task.run(
                TaskContext.get(),
                new SeriesRows(inputs.apply(0), keys == null ? null : keys.ofRows()),
                SeriesEdges.none(pipelines),
                wholeSeries);
  }

  private UnitOrder unitOrder(StencilTask task) {
    return new UnitOrder(
        new RowOrder(keyOrder(), child.output()),
        new RowOrder(orderSpec, child.output()),
        new RowOrder(fullOrder(), child.output()),
        null,
        task.rowSchema(),
        RowSorter.radixEnabled());
  }

  /** Returns what runs over partitions that hold whole series, in any order. */
  private PartitionEvaluatorFactory<InternalRow, InternalRow> collecting(StencilTask task) {
    UnitOrder order = unitOrder(task);
    int pipelines = task.plan().pipelines().size();
    return () ->
        (index, inputs) ->
            task.run(
                TaskContext.get(),
                ScalaInterop.seqOf(inputs.apply(0)).iterator(),
                order,
                SeriesEdges.none(pipelines));
  }

  private OrderedInput orderedInput(StencilTask task) {
    return new OrderedInput(
        task,
        new RowOrder(fullOrder(), child.output()),
        partitionSpec.isEmpty() ? null : new RowOrder(keyOrder(), child.output()));
  }

  /**
   * Tells whether columns go in and out: for an ordered input of fixed-width columns, one of which
   * is the whole order.
   */
  @Override
  public boolean supportsColumnar() {
    return ordered
        && child.supportsColumnar()
        && partitionSpec.isEmpty()
        && new RowOrder(orderSpec, child.output()).isIntegral()
        && ScalaInterop.list(child.output()).stream()
            .allMatch(a -> ColumnarLayout.elementType(a.dataType()) != null)
        && ScalaInterop.list(stencils).stream().noneMatch(s -> ((StencilExpression) s).wraps());
  }

  @Override
  public Option<Seq<String>> vectorTypes() {
    List<String> names = Collections.nCopies(output().size(), ArrayColumnVector.class.getName());
    return Option.apply(ScalaInterop.seq(names));
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    RDD<ColumnarBatch> result = orderedInput(task()).runColumnar(child.executeColumnar());
    postDriverMetrics();
    return result;
  }

  private StencilTask task() {
    return task(child.output());
  }

  /** Returns what tasks do that read rows of {@code input}. */
  private StencilTask task(Seq<Attribute> input) {
    List<Integer> ordinals = new ArrayList<>();
    List<StencilCall> calls = new ArrayList<>();
    for (Expression stencil : ScalaInterop.list(stencils)) {
      StencilExpression call = (StencilExpression) stencil;
      int ordinal =
          call.value() instanceof Literal
              ? CellReader.ROW
              : ScalaInterop.ordinal(call.value(), input);
      if (!ordinals.contains(ordinal)) {
        ordinals.add(ordinal);
      }
      calls.add(
          new StencilCall(
              ordinals.indexOf(ordinal),
              StencilExpression.storedKindOf(call.value().dataType()),
              call.stencil(),
              call.overflow()));
    }
    StagePlan plan = StagePlan.of(calls);
    return new StencilTask(
        plan,
        new CellReader(plan, ordinals.stream().mapToInt(i -> i).toArray()),
        schema(ScalaInterop.list(input)),
        schema(ScalaInterop.list(results)),
        stencilConf(),
        stencilMetrics());
  }

  /** Returns the options as the session has them, with the engine that the query names. */
  private StencilConf stencilConf() {
    StencilConf configured = SessionOptions.current();
    return engine.equals("auto")
        ? configured
        : configured.with(java.util.Map.of(StencilOptions.ENGINE.key(), engine));
  }

  private static StructType schema(List<Attribute> attributes) {
    return new StructType(
        attributes.stream()
            .map(a -> new StructField(a.name(), a.dataType(), a.nullable(), a.metadata()))
            .toArray(StructField[]::new));
  }

  @Override
  public String argString(int maxFields) {
    String asIs =
        ordered ? " (as the rows are)" : isRanged() ? " (known, nothing is shuffled)" : "";
    return ExplainText.calls(stencils, results, maxFields)
        + ExplainText.order(partitionSpec, orderSpec)
        + asIs
        + ", engine "
        + stencilConf().get(StencilOptions.ENGINE);
  }

  @Override
  public String verboseStringWithOperatorId() {
    List<List<StencilSpec>> pipelines =
        task().plan().pipelines().stream().map(StagePlan.Pipeline::specs).toList();
    return "%sEngine: %s%n"
        .formatted(
            UnaryExecNode.super.verboseStringWithOperatorId(),
            EngineForecast.text(stencilConf().get(StencilOptions.ENGINE), pipelines));
  }

  @Override
  public AttributeSet producedAttributes() {
    return AttributeSet$.MODULE$.apply(ScalaInterop.<Expression>seq(ScalaInterop.list(results)));
  }

  @Override
  public int productArity() {
    return 8;
  }

  @Override
  public Object productElement(int index) {
    return switch (index) {
      case 0 -> stencils;
      case 1 -> results;
      case 2 -> partitionSpec;
      case 3 -> orderSpec;
      case 4 -> ordered;
      case 5 -> engine;
      case 6 -> shuffling;
      case 7 -> child;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof StencilExec;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StencilExec that
        && stencils.equals(that.stencils)
        && results.equals(that.results)
        && partitionSpec.equals(that.partitionSpec)
        && orderSpec.equals(that.orderSpec)
        && ordered == that.ordered
        && engine.equals(that.engine)
        && shuffling == that.shuffling
        && child.equals(that.child);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        stencils, results, partitionSpec, orderSpec, ordered, engine, shuffling, child);
  }
}
