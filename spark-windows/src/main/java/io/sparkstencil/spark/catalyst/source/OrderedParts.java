/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.GroupTask;
import io.sparkstencil.spark.catalyst.interop.GroupedRdd;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;

/**
 * The rows of one series in parts that follow each other in its order, each the work of a task. A
 * part consists of units, which follow each other as well and are put in order one by one.
 */
interface OrderedParts {
  /** Returns the number of parts. */
  int count();

  /** Returns the columns of the rows. */
  Seq<Attribute> columns();

  /** Tells whether the rows of each part come in order, but for ties. */
  boolean sorted();

  /**
   * Returns what a task per part makes of its rows.
   *
   * @param payloads one for each part
   */
  <P extends Serializable, T> RDD<T> run(
      List<P> payloads, GroupTask<InternalRow, P, T> work, Class<T> type);

  /** Returns the first unit of each part, and the number of units. */
  int[] starts();

  /**
   * Returns what tasks make of the rows of some units each.
   *
   * @param runs the units of each task, as {@link GroupedRdd} has them
   * @param payloads one for each task
   */
  <P extends Serializable, T> RDD<T> run(
      int[][] runs, List<P> payloads, GroupTask<InternalRow, P, T> work, Class<T> type);

  /** Parts that were shuffled. */
  record Shuffled(ShuffledUnits units, Seq<Attribute> columns) implements OrderedParts {
    @Override
    public int count() {
      return units.groups().size();
    }

    @Override
    public boolean sorted() {
      return false;
    }

    @Override
    public <P extends Serializable, T> RDD<T> run(
        List<P> payloads, GroupTask<InternalRow, P, T> work, Class<T> type) {
      return units.read(payloads, work, ScalaInterop.tag(type));
    }

    @Override
    public int[] starts() {
      return units.starts();
    }

    @Override
    public <P extends Serializable, T> RDD<T> run(
        int[][] runs, List<P> payloads, GroupTask<InternalRow, P, T> work, Class<T> type) {
      return units.read(runs, payloads, work, ScalaInterop.tag(type));
    }
  }

  /**
   * Partitions of a plan, or of the files that it reads, that are such ranges.
   *
   * @param distinct whether rows come in order and none of them tie
   */
  record InPlace(RDD<InternalRow> rows, Seq<Attribute> columns, boolean sorted, boolean distinct)
      implements OrderedParts {
    /** Returns the parts of a plan's rows. */
    static InPlace of(SparkPlan plan, RowPlacement where) {
      return new InPlace(where.rows(plan), plan.output(), where.sorted(), where.distinct());
    }

    @Override
    public int count() {
      return rows.getNumPartitions();
    }

    @Override
    public <P extends Serializable, T> RDD<T> run(
        List<P> payloads, GroupTask<InternalRow, P, T> work, Class<T> type) {
      return new GroupedRdd<>(rows, starts(), payloads, work, ScalaInterop.tag(type));
    }

    @Override
    public int[] starts() {
      return IntStream.rangeClosed(0, count()).toArray();
    }

    @Override
    public <P extends Serializable, T> RDD<T> run(
        int[][] runs, List<P> payloads, GroupTask<InternalRow, P, T> work, Class<T> type) {
      return new GroupedRdd<>(rows, runs, payloads, work, ScalaInterop.tag(type));
    }
  }
}
