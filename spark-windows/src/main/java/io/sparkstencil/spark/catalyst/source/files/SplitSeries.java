/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.interop.ArrangedRdd;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.series.ColumnShuffle;
import io.sparkstencil.spark.catalyst.series.OwnRows;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.shuffle.MapOutput;
import io.sparkstencil.spark.exec.SeriesChunk;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.SerializableWritable;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.apache.spark.status.api.v1.MemoryMetrics;
import org.apache.spark.storage.StorageLevel;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Series of a table whose files follow one another in the order of a window, as they do where rows
 * were written as time went by. Each task reads its files series by series and keeps the rows in
 * memory. What frames need of other files is shuffled, which is little:
 *
 * <pre>
 *   files -> [collect, keep] -> [compute] rows whose frames lie in the files of the task
 *                            -> [shuffle, compute] rows near the cuts
 * </pre>
 *
 * Rows that find no memory to stay are read again.
 */
public final class SplitSeries {
  /** What a task makes of the rows that have stayed. */
  public interface Work extends Serializable {
    /** Returns the results, lazily. */
    scala.collection.Iterator<ColumnarBatch> run(
        TaskContext context, Iterator<SeriesChunk<EmittedRows>> chunks);
  }

  /** Rows of a series in a split for each row at an end that is sent, at least. */
  private static final long ROWS_PER_SENT = 4;

  /** What Spark calls the driver among its executors. */
  private static final String DRIVER = SparkContext$.MODULE$.DRIVER_IDENTIFIER();

  /** Share of the free memory for cached data that rows may take. */
  private static final double MEMORY_SHARE = 0.5;

  /** Share of a core's memory that the rows of its task may take, less than it collects at most. */
  private static final double TASK_SHARE = 0.1;

  private final JavaRDD<SerializableWritable<Packed<SplitRows>>> kept;
  private final StructType schema;
  private final UnitOrder order;
  private final SeriesLayout layout;
  private final SplitEdge edge;

  private SplitSeries(
      JavaRDD<SerializableWritable<Packed<SplitRows>>> kept,
      StructType schema,
      UnitOrder order,
      SplitEdge edge) {
    this.kept = kept;
    this.schema = schema;
    this.order = order;
    this.layout = new SeriesLayout(order.keys(), order.order());
    this.edge = edge;
  }

  /**
   * Finds out whether the files of a table follow one another, which reads their footers; empty if
   * they do not, or if it would not be worth it.
   *
   * @param child the rows, which are columns of fixed width
   * @param order the order of the series and of their rows
   * @param columns where they are in a chunk
   * @param sortNanos counts the time of sorting
   */
  public static Optional<SplitSeries> of(
      SparkPlan child, UnitOrder order, ColumnarLayout columns, SQLMetric sortNanos) {
    SeriesLayout series = new SeriesLayout(order.keys(), order.order());
    if (series.hasTexts() || !series.isOrderedByNumbers()) {
      return Optional.empty();
    }
    List<Attribute> attributes = ScalaInterop.list(order.keys().attributes());
    SplitEdge edge = SplitEdge.of(columns.plan());
    return OrderedSplits.of(
            child,
            attributes.get(series.order().get(0).field()),
            Arrays.stream(series.keys()).mapToObj(attributes::get).toList())
        .filter(found -> isWorthIt(found, edge) && fits(child.sparkContext(), found, columns))
        .map(
            found -> {
              SplitReader reader =
                  new SplitReader(columns, positions(columns, order.schema()), series, sortNanos);
              UnitOrder marked = marked(order, attributes);
              return new SplitSeries(
                  kept(child.executeColumnar(), found, reader), order.schema(), marked, edge);
            });
  }

  private static boolean isWorthIt(OrderedSplits found, SplitEdge edge) {
    double ofSeries = (double) found.rows() / found.partitions().length / found.series();
    return ofSeries >= (double) ROWS_PER_SENT * edge.rows();
  }

  /**
   * Tells whether executors have memory to keep all rows, and tasks to collect those of their
   * splits.
   */
  private static boolean fits(SparkContext context, OrderedSplits found, ColumnarLayout columns) {
    long ofRow = columns.sources().stream().mapToLong(each -> each.to().bytes()).sum();
    long free = 0;
    long ofCore = Long.MAX_VALUE;
    for (ExecutorSummary each : ScalaInterop.list(context.statusStore().executorList(true))) {
      if ((context.isLocal() || !each.id().equals(DRIVER)) && each.memoryMetrics().isDefined()) {
        MemoryMetrics memory = each.memoryMetrics().get();
        free += memory.totalOnHeapStorageMemory() - memory.usedOnHeapStorageMemory();
        int cores = context.isLocal() ? context.defaultParallelism() : each.totalCores();
        ofCore = Math.min(ofCore, memory.totalOnHeapStorageMemory() / Math.max(1, cores));
      }
    }
    long ofTask = found.rows() / found.partitions().length * columns.sources().size() * Long.BYTES;
    return found.rows() * ofRow <= MEMORY_SHARE * free && ofTask <= TASK_SHARE * ofCore;
  }

  /** Returns where the columns of rows are in a chunk. */
  private static int[] positions(ColumnarLayout columns, StructType schema) {
    return IntStream.range(0, schema.size()).map(columns::position).toArray();
  }

  private static JavaRDD<SerializableWritable<Packed<SplitRows>>> kept(
      RDD<ColumnarBatch> rows, OrderedSplits splits, SplitReader reader) {
    PartitionEvaluatorFactory<ColumnarBatch, SplitRows> reading =
        () -> (index, inputs) -> reader.read(TaskContext.get(), index, inputs.apply(0));
    RDD<SplitRows> read =
        new ArrangedRdd<>(rows, splits.partitions(), ScalaInterop.tag(ColumnarBatch.class))
            .mapPartitionsWithEvaluator(reading, ScalaInterop.tag(SplitRows.class));
    return Packed.kept(read.toJavaRDD(), StorageLevel.MEMORY_ONLY())
        .setName("rows of a window, series by series");
  }

  /**
   * Returns the order of rows that have a mark as their last column, by which those that tie are.
   */
  private static UnitOrder marked(UnitOrder order, List<Attribute> attributes) {
    Attribute mark =
        new AttributeReference(
            "mark",
            DataTypes.LongType,
            false,
            Metadata.empty(),
            NamedExpression.newExprId(),
            ScalaInterop.seqOf());
    Seq<SortOrder> byMark =
        ScalaInterop.seqOf(
            new SortOrder(mark, Ascending$.MODULE$, NullsFirst$.MODULE$, ScalaInterop.seqOf()));
    Seq<Attribute> all =
        ScalaInterop.concat(ScalaInterop.seq(attributes), ScalaInterop.<Attribute>seqOf(mark));
    return new UnitOrder(
        order.keys().of(all),
        new RowOrder(ScalaInterop.concat(order.order().sortOrder(), byMark), all),
        new RowOrder(ScalaInterop.concat(order.whole().sortOrder(), byMark), all),
        null,
        DataTypeUtils.fromAttributes(all));
  }

  /**
   * Reads all files, keeps their rows and shuffles those near the cuts.
   *
   * @param execution the id of the SQL query, at whose end the rows are given up
   */
  public MapOutput shuffle(int partitions, String execution) {
    QueryEnd.unpersist(kept.rdd().sparkContext(), kept.rdd(), execution);
    StructType of = schema;
    PartitionEvaluatorFactory<SerializableWritable<Packed<SplitRows>>, ColumnarBatch> sending =
        () -> (index, inputs) -> inputs.apply(0).map(each -> Packed.open(each).sent(of));
    return MapOutput.run(
        kept.rdd().sparkContext(),
        ColumnShuffle.ofColumns(
            kept.rdd().mapPartitionsWithEvaluator(sending, ScalaInterop.tag(ColumnarBatch.class)),
            ColumnShuffle.byKeys(layout, partitions),
            layout,
            partitions),
        layout.rows());
  }

  /** Returns what tasks make of the rows that have stayed. */
  public RDD<ColumnarBatch> stayed(Work work) {
    PartitionEvaluatorFactory<SerializableWritable<Packed<SplitRows>>, ColumnarBatch> computing =
        () ->
            (index, inputs) -> {
              scala.collection.Iterator<SeriesChunk<EmittedRows>> chunks =
                  inputs.apply(0).flatMap(each -> ScalaInterop.seq(Packed.open(each).chunks()));
              return chunks.hasNext()
                  ? work.run(TaskContext.get(), CollectionConverters.asJava(chunks))
                  : ScalaInterop.noElements();
            };
    return kept.rdd().mapPartitionsWithEvaluator(computing, ScalaInterop.tag(ColumnarBatch.class));
  }

  /** Returns the order of the shuffled rows. */
  public UnitOrder order() {
    return order;
  }

  /** Returns the shuffled rows. */
  public SeriesLayout layout() {
    return layout;
  }

  /** Returns which of the shuffled rows the result has. */
  public OwnRows own() {
    return new CutRows(edge, schema.size());
  }
}
