/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import io.sparkstencil.spark.catalyst.interop.ReadAheadRdd;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.RowOrder;
import io.sparkstencil.spark.catalyst.order.TieResolver;
import io.sparkstencil.spark.halo.EndsCollector;
import io.sparkstencil.spark.halo.PartitionEnds;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.columnar.CachedBatch;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.columnar.ColumnarIterator;
import org.apache.spark.sql.execution.columnar.DefaultCachedBatch;
import org.apache.spark.sql.execution.columnar.DefaultCachedBatchSerializer;
import org.apache.spark.sql.execution.columnar.GenerateColumnAccessor$;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.UserDefinedType;
import scala.Option;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * Finds the ends of the partitions of a cached table whose rows are in order. Only the first rows
 * and the batches with the last rows are decoded; what lies between is counted.
 */
final class CachedEnds {
  /** A partition's ends take less time than a task's start. */
  private static final int TASKS_PER_CORE = 2;

  private final ReadAheadRdd.Partitions<CachedBatch> table;
  private final DataType[] types;
  private final int[] columns;
  private final StencilTask task;
  private final RowOrder order;

  private record Found(int partition, PartitionEnds ends) implements Serializable {}

  private CachedEnds(
      ReadAheadRdd.Partitions<CachedBatch> table,
      DataType[] types,
      int[] columns,
      StencilTask task,
      RowOrder order) {
    this.table = table;
    this.types = types;
    this.columns = columns;
    this.task = task;
    this.order = order;
  }

  /** Returns the cached table all of whose rows {@code plan} returns as they are, or null. */
  static InMemoryTableScanExec tableOf(SparkPlan plan) {
    SparkPlan below = NarrowPlan.below(plan);
    if (below != null) {
      return tableOf(below);
    }
    return plan instanceof InMemoryTableScanExec scan
            && scan.predicates().isEmpty()
            && scan.relation().cacheBuilder().serializer().getClass()
                == DefaultCachedBatchSerializer.class
            && ScalaInterop.list(scan.attributes()).stream()
                .noneMatch(each -> each.dataType() instanceof UserDefinedType<?>)
        ? scan
        : null;
  }

  /**
   * Returns the ends of all partitions, which is a job.
   *
   * @param scan what {@link #tableOf} returned
   * @param task reads rows of the scan
   * @param order the order of the rows of each partition
   */
  static List<PartitionEnds> read(InMemoryTableScanExec scan, StencilTask task, RowOrder order) {
    List<Attribute> attributes = ScalaInterop.list(scan.attributes());
    DataType[] types = attributes.stream().map(Attribute::dataType).toArray(DataType[]::new);
    int[] columns =
        attributes.stream()
            .mapToInt(each -> ScalaInterop.ordinal(each, scan.relation().output()))
            .toArray();
    RDD<CachedBatch> batches = scan.relation().cacheBuilder().cachedColumnBuffers();
    RDD<Found> found =
        new ReadAheadRdd<CachedBatch, Found>(
            batches,
            batches.partitions(),
            (context, readable) -> {
              CachedEnds ends = new CachedEnds(readable, types, columns, task, order);
              return ScalaInterop.seqOf(new Found(readable.index(), ends.find())).iterator();
            },
            ScalaInterop.tag(Found.class));
    int tasks = TASKS_PER_CORE * batches.sparkContext().defaultParallelism();
    Found[] all = (Found[]) found.coalesce(tasks, false, Option.empty(), null).collect();
    PartitionEnds[] ends = new PartitionEnds[all.length];
    for (Found each : all) {
      ends[each.partition()] = each.ends();
    }
    return List.of(ends);
  }

  private PartitionEnds find() {
    int reach = task.plan().reach();
    LastBatches last = new LastBatches(table.read(table.index()), reach);
    EndsCollector heads = new EndsCollector(task.plan());
    Iterator<InternalRow> first = resolved(decoded(last));
    for (int i = 0; i < reach && first.hasNext(); i++) {
      task.cells().read(first.next(), heads.columns());
      heads.added(1);
    }
    while (last.hasNext()) {
      last.next();
    }
    TieAt cutTie = new TieAt(decoded(last.kept()), last.keptRows() - reach);
    PartitionEnds tails = RangeHalos.ofSorted(resolved(cutTie), task);
    if (last.keptRows() < last.rows() && cutTie.found()) {
      // Rows that were dropped belong among the last, too.
      return RangeHalos.ofSorted(resolved(decoded(table.read(table.index()))), task);
    }
    return new PartitionEnds(last.rows(), heads.ends().heads(), tails.tails());
  }

  private Iterator<InternalRow> resolved(Iterator<InternalRow> rows) {
    return new TieResolver(rows, order, task.cells(), task.rowSchema());
  }

  @SuppressWarnings("unchecked") // batches of the default serializer, see tableOf
  private Iterator<InternalRow> decoded(Iterator<? extends CachedBatch> batches) {
    Seq<DataType> schema = ScalaInterop.seq(List.of(types));
    ColumnarIterator rows = GenerateColumnAccessor$.MODULE$.generate(schema);
    rows.initialize((Iterator<DefaultCachedBatch>) batches, types, columns);
    return rows;
  }

  /** Batches, of which as many of the last are kept as hold more than so many rows. */
  private static final class LastBatches extends AbstractIterator<CachedBatch> {
    private final Iterator<CachedBatch> batches;
    private final int wanted;
    private final Queue<CachedBatch> kept = new ArrayDeque<>();
    private long keptRows;
    private long rows;

    LastBatches(Iterator<CachedBatch> batches, int wanted) {
      this.batches = batches;
      this.wanted = wanted;
    }

    @Override
    public boolean hasNext() {
      return batches.hasNext();
    }

    @Override
    public CachedBatch next() {
      CachedBatch batch = batches.next();
      kept.add(batch);
      keptRows += batch.numRows();
      rows += batch.numRows();
      while (keptRows - kept.element().numRows() > wanted) {
        keptRows -= kept.remove().numRows();
      }
      return batch;
    }

    Iterator<CachedBatch> kept() {
      return ScalaInterop.<CachedBatch>seq(kept).iterator();
    }

    long keptRows() {
      return keptRows;
    }

    /** Returns the number of rows that went by. */
    long rows() {
      return rows;
    }
  }

  /** Rows, of which the first may tie with one that comes later. */
  private final class TieAt extends AbstractIterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final long place;
    private final Comparator<InternalRow> comparator = order.comparator();
    private InternalRow first;
    private long next;
    private boolean found;

    TieAt(Iterator<InternalRow> rows, long place) {
      this.rows = rows;
      this.place = place;
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public InternalRow next() {
      InternalRow row = rows.next();
      if (next == 0) {
        first = row.copy();
      }
      found |= next == place && comparator.compare(first, row) == 0;
      next++;
      return row;
    }

    boolean found() {
      return found;
    }
  }
}
