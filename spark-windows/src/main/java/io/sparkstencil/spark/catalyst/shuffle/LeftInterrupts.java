/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.error.Cancellation;
import java.util.function.Supplier;
import org.apache.spark.Partition;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import org.apache.spark.sql.execution.ShuffledRowRDD;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Map;

/**
 * Shuffles of ours in tasks whose thread a function of a user's has left interrupted. Spark's
 * writers and readers of shuffles end with an interrupt; where Spark itself would not have shuffled
 * at all, they must not meet it.
 */
final class LeftInterrupts {
  private LeftInterrupts() {}

  /** Returns rows whose thread is interrupted only while they are computed. */
  static <T> Iterator<T> onlyInside(Iterator<T> rows) {
    return new Computed<>(rows);
  }

  private static final class Computed<T> extends AbstractIterator<T> {
    private final Iterator<T> rows;
    private boolean left;

    Computed(Iterator<T> rows) {
      this.rows = rows;
    }

    @Override
    public boolean hasNext() {
      return compute(rows::hasNext);
    }

    @Override
    public T next() {
      return compute(rows::next);
    }

    private <R> R compute(Supplier<R> work) {
      if (left) {
        Thread.currentThread().interrupt();
      }
      R computed = work.get();
      left = Cancellation.putInterruptAside();
      return computed;
    }
  }

  /** Shuffled batches whose thread is not interrupted while they are read. */
  static final class Batches extends ShuffledRowRDD {
    private static final long serialVersionUID = 1L;

    Batches(
        ShuffleDependency<Object, InternalRow, InternalRow> dependency,
        Map<String, SQLMetric> metrics,
        ShufflePartitionSpec[] parts) {
      super(dependency, metrics, parts);
    }

    @Override
    public Iterator<InternalRow> compute(Partition split, TaskContext context) {
      return new Read(Cancellation.call(() -> super.compute(split, context)));
    }
  }

  private static final class Read extends AbstractIterator<InternalRow> {
    private final Iterator<InternalRow> batches;

    Read(Iterator<InternalRow> batches) {
      this.batches = batches;
    }

    @Override
    public boolean hasNext() {
      return Cancellation.call(batches::hasNext);
    }

    @Override
    public InternalRow next() {
      return Cancellation.call(batches::next);
    }
  }
}
