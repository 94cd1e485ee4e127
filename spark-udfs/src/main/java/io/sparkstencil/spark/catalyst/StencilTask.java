/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.spark.exec.ChunkBuilder;
import io.sparkstencil.spark.exec.ChunkRunner;
import io.sparkstencil.spark.exec.ProcessEngines;
import io.sparkstencil.spark.exec.SeriesChunk;
import io.sparkstencil.spark.exec.SeriesEdges;
import io.sparkstencil.spark.exec.StagePlan;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeRowJoiner;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.TaskCompletionListener;

/**
 * What every task of a stencil operator does: rows in, rows with results out.
 *
 * @param plan what is staged
 * @param cells where the cells are in a row
 * @param rowSchema the rows
 * @param resultSchema the results
 * @param engine the name of an engine, or {@code auto}
 * @param metrics what is counted
 */
record StencilTask(
    StagePlan plan,
    CellReader cells,
    StructType rowSchema,
    StructType resultSchema,
    String engine,
    StencilMetrics metrics)
    implements Serializable {

  /** Returns the rows of {@code source} with their results, lazily. */
  scala.collection.Iterator<InternalRow> run(
      TaskContext context, RowSource source, SeriesEdges edges, boolean wholeSeries) {
    RowPages pages = new RowPages(context.taskMemoryManager());
    onCompletion(context, pages::close);
    RowChunks chunks = new RowChunks(source, cells, new ChunkBuilder(plan, wholeSeries), pages);
    ChunkRunner<RowChunks.Rows> runner = runner(context, edges, chunks);
    Runnable counted = counting(runner, source::rowsReadAhead);
    Iterator<SeriesChunk<RowChunks.Rows>> counting =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return runner.hasNext();
          }

          @Override
          public SeriesChunk<RowChunks.Rows> next() {
            SeriesChunk<RowChunks.Rows> chunk = runner.next();
            metrics.rows().add(chunk.payload().block().rows());
            return chunk;
          }
        };
    return new ResultRows(
        plan,
        counting,
        GenerateUnsafeRowJoiner.create(rowSchema, resultSchema),
        rowSchema.size(),
        counted);
  }

  /** Returns the batches of an ordered input with their results, lazily. */
  scala.collection.Iterator<ColumnarBatch> runColumnar(
      TaskContext context,
      ReadAheadRdd.Partitions<ColumnarBatch> partitions,
      RowOrder order,
      SeriesEdges edges) {
    ColumnarLayout layout = new ColumnarLayout(plan, cells, rowSchema);
    OrderedBatches batches = new OrderedBatches(partitions, order, layout);
    ChunkRunner<OrderedBatches.Emitted> runner = runner(context, edges, batches);
    return new ResultBatches(this, layout, runner, counting(runner, batches::rowsReadAhead));
  }

  /** Opens the engines and counts them; everything is closed when the task ends. */
  <P> ChunkRunner<P> runner(
      TaskContext context, SeriesEdges edges, Iterator<SeriesChunk<P>> chunks) {
    List<StencilEngine> engines = ProcessEngines.select(engine, plan, options());
    metrics.partitions().add(1);
    String first = ProcessEngines.preferred(engine);
    if (engines.stream().anyMatch(e -> !e.name().equals(first))) {
      metrics.fallbacks().add(1);
    }
    engines.stream().map(StencilEngine::name).distinct().forEach(this::countEngine);
    ChunkRunner<P> runner = new ChunkRunner<>(plan, engines, edges, chunks);
    onCompletion(context, runner::close);
    return runner;
  }

  private void countEngine(String name) {
    switch (name) {
      case "gpu" -> metrics.gpuTasks().add(1);
      case "reference" -> metrics.referenceTasks().add(1);
      default -> metrics.cpuTasks().add(1);
    }
  }

  /** Returns what adds the runner's counters to the metrics, once all chunks are through. */
  private Runnable counting(ChunkRunner<?> runner, LongSupplier rowsReadAhead) {
    return () -> {
      metrics.haloCells().add(rowsReadAhead.getAsLong() * plan.columns().size());
      metrics.cells().add(runner.outputCells());
      metrics.stencilNanos().add(runner.stencilNanos());
    };
  }

  static Map<String, String> options() {
    Map<String, String> options = new HashMap<>();
    for (scala.Tuple2<String, String> entry :
        SparkEnv.get().conf().getAllWithPrefix("spark.stencil.")) {
      options.put("spark.stencil." + entry._1(), entry._2());
    }
    return options;
  }

  static void onCompletion(TaskContext context, Runnable action) {
    context.addTaskCompletionListener((TaskCompletionListener) ended -> action.run());
  }
}
