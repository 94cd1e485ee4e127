/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ReadAheadRdd;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.TieResolver;
import io.sparkstencil.spark.exec.EndsCollector;
import io.sparkstencil.spark.exec.PartitionEnds;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
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
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * Finds the ends of the partitions of a cached table whose rows are in order. Only the first rows
 * and the batches with the last rows are decoded; what lies between is counted.
 *
 * @param table the batches of the table
 * @param types the types of the columns that are read
 * @param columns where these are in a batch
 * @param stencils reads rows of them
 * @param order the order of the rows of each partition
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CachedEnds(
    ReadAheadRdd.Partitions<CachedBatch> table,
    DataType[] types,
    int[] columns,
    StagedStencils stencils,
    RowOrder order) {
  /** A partition's ends take less time than a task's start. */
  private static final int TASKS_PER_CORE = 2;

  private record Found(int partition, PartitionEnds ends) implements Serializable {}

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
   * @param stencils reads rows of the scan
   * @param order the order of the rows of each partition
   */
  static List<PartitionEnds> read(
      InMemoryTableScanExec scan, StagedStencils stencils, RowOrder order) {
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
              CachedEnds ends = new CachedEnds(readable, types, columns, stencils, order);
              return ScalaInterop.seqOf(new Found(readable.index(), ends.find())).iterator();
            },
            ScalaInterop.tag(Found.class));
    int tasks = TASKS_PER_CORE * batches.sparkContext().defaultParallelism();
    List<Found> all = TaskFindings.of(found.coalesce(tasks, false, Option.empty(), null));
    PartitionEnds[] ends = new PartitionEnds[all.size()];
    for (Found each : all) {
      ends[each.partition()] = each.ends();
    }
    return List.of(ends);
  }

  private PartitionEnds find() {
    int reach = stencils.plan().reach();
    EndsCollector heads = new EndsCollector(stencils.plan());
    Iterator<InternalRow> first = resolved(decoded(table.read(table.index())));
    for (int i = 0; i < reach && first.hasNext(); i++) {
      stencils.cells().read(first.next(), heads.columns());
      heads.added(1);
    }
    Deque<CachedBatch> kept = new ArrayDeque<>(); // the last, which hold more rows than that
    long keptRows = 0;
    long rows = 0;
    Iterator<CachedBatch> batches = table.read(table.index());
    while (batches.hasNext()) {
      CachedBatch batch = batches.next();
      kept.add(batch);
      keptRows += batch.numRows();
      rows += batch.numRows();
      while (keptRows - kept.element().numRows() > reach) {
        keptRows -= kept.remove().numRows();
      }
    }
    // Where rows that were not kept tie with one of the last, they belong among these, too.
    boolean decodesAll = keptRows < rows && firstTiesWith(keptRows - reach, kept);
    Iterator<? extends CachedBatch> last =
        decodesAll ? table.read(table.index()) : ScalaInterop.seq(kept).iterator();
    PartitionEnds tails = stencils.endsOfSorted(resolved(decoded(last)));
    return new PartitionEnds(rows, heads.ends().heads(), tails.tails());
  }

  /** Tells whether the first row of batches ties with a later one. */
  private boolean firstTiesWith(long place, Collection<CachedBatch> batches) {
    Iterator<InternalRow> rows = decoded(ScalaInterop.<CachedBatch>seq(batches).iterator());
    InternalRow first = null;
    for (long at = 0; rows.hasNext(); at++) { // which also reads the next batch
      InternalRow row = rows.next();
      if (at == 0) {
        first = row.copy();
      } else if (at == place) {
        return order.comparator().compare(first, row) == 0;
      }
    }
    return false;
  }

  private Iterator<InternalRow> resolved(Iterator<InternalRow> rows) {
    return new TieResolver(rows, order, stencils.cells(), stencils.rowSchema());
  }

  @SuppressWarnings("unchecked") // batches of the default serializer, see tableOf
  private Iterator<InternalRow> decoded(Iterator<? extends CachedBatch> batches) {
    Seq<DataType> schema = ScalaInterop.seq(List.of(types));
    ColumnarIterator rows = GenerateColumnAccessor$.MODULE$.generate(schema);
    rows.initialize((Iterator<DefaultCachedBatch>) batches, types, columns);
    return rows;
  }
}
