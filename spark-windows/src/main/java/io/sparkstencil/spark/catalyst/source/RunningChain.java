/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.frames.DoubleSums;
import io.sparkstencil.spark.catalyst.frames.PackedDoubles;
import io.sparkstencil.spark.catalyst.frames.RunningState;
import io.sparkstencil.spark.catalyst.frames.StateCollector;
import io.sparkstencil.spark.catalyst.frames.StateSpec;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.shuffle.PackedRows;
import io.sparkstencil.spark.catalyst.shuffle.RowLayout;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/** What must be gone through from the first row of a series to the last, by a single task. */
final class RunningChain {
  private RunningChain() {}

  /**
   * Returns the columns of a partition's rows that a chain needs, packed.
   *
   * @param rows in order
   * @param from their columns
   * @param columns those that are needed
   * @param doubles whether they are doubles, and all else that a chain needs is known
   */
  static Iterator<byte[]> packed(
      Iterator<InternalRow> rows, Seq<Attribute> from, Seq<Attribute> columns, boolean doubles) {
    if (doubles) {
      return PackedDoubles.ofRows(rows, ordinals(columns, from));
    }
    Iterator<InternalRow> needed =
        from.equals(columns)
            ? rows
            : rows.map(UnsafeProjection.create(ScalaInterop.seq(ScalaInterop.list(columns)), from));
    return new PackedRows(needed, RowLayout.of(ScalaInterop.list(columns)));
  }

  /** Returns where columns are among others. */
  static int[] ordinals(Seq<Attribute> columns, Seq<Attribute> among) {
    return ScalaInterop.list(columns).stream()
        .mapToInt(each -> ScalaInterop.ordinal(each, among))
        .toArray();
  }

  /**
   * Goes through what was packed of all partitions; returns the state after each.
   *
   * @param doubles what is added, where that is doubles alone; or null
   */
  static Iterator<RunningState> states(
      Iterator<Iterator<byte[]>> partitions, StateSpec spec, List<DoubleSums.Term> doubles) {
    return doubles == null
        ? ofRows(partitions, spec)
        : ofDoubles(partitions, new DoubleSums(doubles, spec.buffers().types()), spec.input());
  }

  private static Iterator<RunningState> ofDoubles(
      Iterator<Iterator<byte[]>> partitions, DoubleSums sums, Seq<Attribute> columns) {
    return partitions.map(
        batches -> {
          while (batches.hasNext()) {
            sums.add(batches.next(), columns.size());
          }
          return sums.state();
        });
  }

  private static Iterator<RunningState> ofRows(
      Iterator<Iterator<byte[]>> partitions, StateSpec spec) {
    StateCollector collector = spec.collectors().get();
    RowLayout layout = RowLayout.of(ScalaInterop.list(spec.input()));
    return partitions.map(
        batches -> {
          while (batches.hasNext()) {
            collector.addAll(PackedRows.of(batches.next(), layout));
          }
          return collector.state();
        });
  }
}
