/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.columns.BatchPacker;
import io.sparkstencil.spark.catalyst.columns.ColumnRows;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.columns.OrderedBatches;
import io.sparkstencil.spark.catalyst.columns.ResultBatches;
import io.sparkstencil.spark.catalyst.columns.ResultRows;
import io.sparkstencil.spark.catalyst.columns.TextMemory;
import io.sparkstencil.spark.catalyst.interop.ReadAheadRdd;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.catalyst.rows.ReadAhead;
import io.sparkstencil.spark.catalyst.rows.RowChunks;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.series.RangeBatches;
import io.sparkstencil.spark.catalyst.series.SeriesBatches;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.shuffle.EndRows;
import io.sparkstencil.spark.catalyst.shuffle.RowEnds;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.exec.ChunkBuilder;
import io.sparkstencil.spark.exec.ChunkRunner;
import io.sparkstencil.spark.exec.EndsCollector;
import io.sparkstencil.spark.exec.HaloPlanner;
import io.sparkstencil.spark.exec.PartitionEnds;
import io.sparkstencil.spark.exec.SeriesChunk;
import io.sparkstencil.spark.exec.SeriesHalos;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.plugin.PartitionWork;
import io.sparkstencil.spark.plugin.TaskEngine;
import io.sparkstencil.spark.programs.ProgramRunner;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Stencils as tasks compute them: rows in, rows with results out.
 *
 * @param plan what is staged
 * @param cells reads cells of rows
 * @param rowSchema the columns of the rows
 * @param resultSchema the columns of the results
 * @param task what puts rows in order and counts
 */
public record StagedStencils(
    StagePlan plan,
    CellReader cells,
    StructType rowSchema,
    StructType resultSchema,
    WindowTask task)
    implements Serializable {
  /** A chunk of so many rows is taken for one of many. */
  private static final int MANY_ROWS = 1 << 15;

  /** Returns where columns are in a chunk. */
  ColumnarLayout layout() {
    return new ColumnarLayout(plan, cells, rowSchema);
  }

  /** Returns what computes rows of whole series. */
  public SeriesComputation<InternalRow> ofRows() {
    return ofRows(none(), plan.wraps());
  }

  private SeriesComputation<InternalRow> ofRows(SeriesHalos halos, boolean wholeSeries) {
    StructType all = BatchPacker.joined(rowSchema, resultSchema);
    SeriesComputation.OfColumns<ColumnarBatch> columns = ofColumns(halos).ofColumns();
    return new SeriesComputation<>(
        (context, collected, order, own) ->
            ColumnRows.of(all, columns.results(context, collected, order, own)),
        (context, rows, order) -> run(context, rows, halos, wholeSeries));
  }

  /** Returns what computes columns of whole series. */
  public SeriesComputation<ColumnarBatch> ofColumns() {
    return ofColumns(none());
  }

  private SeriesComputation<ColumnarBatch> ofColumns(SeriesHalos halos) {
    return new SeriesComputation<>(
        (context, collected, order, own) ->
            runChunks(
                context,
                halos,
                new SeriesBatches<>(collected, layout(), isWhole(order), own.parts()),
                collected.texts(),
                collected::release),
        (context, rows, order) -> asColumns(context, rows, order, halos));
  }

  /** Tells whether series in an order must not be cut. */
  private boolean isWhole(UnitOrder order) {
    return order.keys() != null && plan.wraps();
  }

  /** Returns the rows of {@code source} with their results, lazily. */
  public scala.collection.Iterator<InternalRow> run(
      TaskContext context, RowSource source, SeriesHalos halos, boolean wholeSeries) {
    RowChunks chunks =
        new RowChunks(source, cells, new ChunkBuilder(plan, wholeSeries), RowPages.of(context));
    ChunkRunner<RowChunks.Rows> runner = runner(context, halos, chunks);
    return new ResultRows(
        plan,
        rowSchema,
        resultSchema,
        counted(runner, emitted -> emitted.block().rows()),
        counting(runner, source::rowsReadAhead));
  }

  /** Puts rows in order, all of which are one unit, and returns them with their results, lazily. */
  scala.collection.Iterator<InternalRow> runUnit(
      TaskContext context,
      scala.collection.Iterator<InternalRow> rows,
      UnitOrder order,
      SeriesHalos halos) {
    return task.ofRows(context, rows, order, ofRows(halos, isWhole(order)));
  }

  /** Returns the batches, which are in order, with their results, lazily. */
  public scala.collection.Iterator<ColumnarBatch> runColumnar(
      TaskContext context,
      ReadAheadRdd.Partitions<ColumnarBatch> partitions,
      RowOrder order,
      SeriesHalos halos) {
    ColumnarLayout layout = layout();
    ReadAhead<ColumnarBatch> ahead =
        new ReadAhead<>(partitions, ColumnarBatch::numRows, plan.reach(), plan.right());
    OrderedBatches batches = new OrderedBatches(ahead, order, layout);
    ChunkRunner<EmittedRows> runner = runner(context, halos, batches);
    return new ResultBatches(
        plan,
        layout,
        rowSchema,
        resultSchema,
        null,
        counted(runner, EmittedRows::rows),
        counting(runner, ahead::rowsReadAhead));
  }

  /**
   * Returns a range of one series with its results as columns, lazily.
   *
   * @param units the rows in the batches in which they were shuffled
   * @param halos what lies beside the range
   */
  scala.collection.Iterator<ColumnarBatch> runRange(
      TaskContext context,
      scala.collection.Iterator<scala.collection.Iterator<InternalRow>> units,
      UnitOrder order,
      SeriesLayout series,
      SeriesHalos halos) {
    if (series.hasTexts()) { // which are read where they lie
      return task.ofBatches(
          context, units.flatMap(unit -> unit), series, order, RowSpan.ALL, ofColumns(halos));
    }
    RangeBatches chunks = new RangeBatches(task.range(context, units, order, series), layout());
    return runChunks(context, halos, chunks, null, () -> {});
  }

  /** Returns what lies beside rows that are whole series: nothing. */
  SeriesHalos none() {
    return SeriesHalos.none(plan.pipelines().size());
  }

  /** Returns rows with their results as columns. */
  public RDD<ColumnarBatch> packed(RDD<InternalRow> rows) {
    return BatchPacker.of(rowSchema, resultSchema, rows);
  }

  /** Returns rows with their results as columns. */
  private scala.collection.Iterator<ColumnarBatch> asColumns(
      TaskContext context, RowSource sorted, UnitOrder order, SeriesHalos halos) {
    StructType read = order.schema();
    StagedStencils wider = new StagedStencils(plan, cells, read, resultSchema, task);
    return BatchPacker.of(read, resultSchema)
        .batches(wider.run(context, sorted, halos, isWhole(order)))
        .map(batch -> BatchPacker.without(batch, rowSchema.size(), read.size()));
  }

  /**
   * Returns the own rows of chunks with their results, lazily.
   *
   * @param halos what lies beside the rows
   * @param texts the memory of the rows' texts, or null if they have none
   * @param onEnd called once, after the last batch
   */
  scala.collection.Iterator<ColumnarBatch> runChunks(
      TaskContext context,
      SeriesHalos halos,
      Iterator<SeriesChunk<EmittedRows>> chunks,
      TextMemory texts,
      Runnable onEnd) {
    ChunkRunner<EmittedRows> runner = runner(context, halos, chunks);
    ToIntFunction<EmittedRows> rows =
        emitted -> {
          task.metric(StencilMetric.COLUMN_ROWS).add(emitted.rows());
          return emitted.rows();
        };
    Runnable count = counting(runner, () -> 0);
    return new ResultBatches(
        plan,
        layout(),
        rowSchema,
        resultSchema,
        texts,
        counted(runner, rows),
        () -> {
          count.run();
          onEnd.run();
        });
  }

  /** Opens the engines and counts them; everything is closed when the task ends. */
  <P> ChunkRunner<P> runner(
      TaskContext context, SeriesHalos halos, Iterator<SeriesChunk<P>> chunks) {
    long cells = 0; // known if the first chunk is the only one
    Iterator<SeriesChunk<P>> all = chunks;
    if (chunks.hasNext()) {
      SeriesChunk<P> first = chunks.next();
      boolean many = first.rows() >= MANY_ROWS || chunks.hasNext();
      cells = many ? PartitionWork.UNKNOWN_CELLS : first.rows();
      all =
          CollectionConverters.asJava(
              ScalaInterop.<SeriesChunk<P>>seqOf(first)
                  .iterator()
                  .concat(() -> CollectionConverters.asScala(chunks)));
    }
    List<TaskEngine> engines = engines(plan, cells, task.conf());
    task.metric(StencilMetric.PARTITIONS).add(1);
    EngineCounts counts = new EngineCounts(task.metrics());
    ScalaInterop.onCompletion(
        context, () -> engines.forEach(engine -> counts.count(engine.report())));
    List<ProgramRunner> programs =
        plan.programs().stream()
            .map(each -> each.program().operation().runner(task.conf()))
            .toList();
    ScalaInterop.onCompletion(context, () -> programs.forEach(counts::count));
    ScalaInterop.onCompletion(context, () -> counts.countDeviceBytes(engines, programs));
    ChunkRunner<P> runner = new ChunkRunner<>(plan, engines, programs, halos, all);
    ScalaInterop.onCompletion(context, runner::close);
    return runner;
  }

  /** Returns an engine of this process for each pipeline of stencils, until the task ends. */
  static List<TaskEngine> engines(StagePlan plan, long cells, StencilConf conf) {
    ExecutorRuntime runtime = ExecutorRuntime.current();
    return plan.pipelines().stream()
        .filter(StagePlan.Frames.class::isInstance)
        .map(pipeline -> runtime.engineFor(new PartitionWork(pipeline.specs(), cells, 1), conf))
        .toList();
  }

  /** Returns the chunks and counts the rows of each that are returned with their results. */
  private <P> scala.collection.Iterator<SeriesChunk<P>> counted(
      ChunkRunner<P> runner, ToIntFunction<P> rowsOf) {
    return CollectionConverters.asScala(runner)
        .map(
            chunk -> {
              int rows = rowsOf.applyAsInt(chunk.payload());
              task.metric(StencilMetric.ROWS).add(rows);
              task.metric(StencilMetric.CELLS).add((long) rows * plan.results().size());
              return chunk;
            });
  }

  /** Returns what adds the runner's counters to the metrics, once all chunks are through. */
  private Runnable counting(ChunkRunner<?> runner, LongSupplier rowsReadAhead) {
    return () -> {
      task.metric(StencilMetric.HALO_CELLS).add(rowsReadAhead.getAsLong() * plan.columns().size());
      task.metric(StencilMetric.STENCIL_NANOS).add(runner.stencilNanos());
    };
  }

  /**
   * Returns what lies beside each partition, and counts it.
   *
   * @param found finds the ends of the partitions, where frames reach beyond a row at all
   */
  List<SeriesHalos> halos(int partitions, Supplier<List<PartitionEnds>> found) {
    boolean alone = partitions == 1 && !plan.wraps();
    if (alone || (plan.left() == 0 && plan.right() == 0)) {
      return Collections.nCopies(partitions, SeriesHalos.none(plan.pipelines().size()));
    }
    HaloPlanner planner = new HaloPlanner(plan, found.get());
    List<SeriesHalos> halos = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      halos.add(planner.halosOfRows(i, i + 1));
    }
    task.metric(StencilMetric.HALO_CELLS).set(planner.cellsMoved());
    return halos;
  }

  /** Reads all rows of the units of a partition, which may come in any order, for its ends. */
  PartitionEnds endsOfUnsorted(
      scala.collection.Iterator<scala.collection.Iterator<InternalRow>> units, RowOrder order) {
    RowEnds ends = new RowEnds(EndRows.of(order, cells, plan.reach()));
    while (units.hasNext()) {
      scala.collection.Iterator<InternalRow> rows = units.next();
      while (rows.hasNext()) {
        ends.add((UnsafeRow) rows.next());
      }
    }
    return ends.ends();
  }

  /** Reads all rows of a partition, which come in order, for its ends. */
  PartitionEnds endsOfSorted(scala.collection.Iterator<InternalRow> rows) {
    EndsCollector collector = new EndsCollector(plan);
    while (rows.hasNext()) {
      cells.read(rows.next(), collector.columns());
      collector.added(1);
    }
    return collector.ends();
  }
}
