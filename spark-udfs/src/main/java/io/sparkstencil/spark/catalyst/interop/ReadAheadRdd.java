/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import java.util.stream.IntStream;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/**
 * An RDD each of whose tasks reads a partition of its parent and then as many rows of the following
 * partitions as it needs. Nothing is exchanged: the first rows of a partition are read by the task
 * before as well.
 */
public final class ReadAheadRdd<T, U> extends GroupedRdd<T, ReadAheadRdd.Own, U> {
  private static final long serialVersionUID = 1L;

  /** What a task does. */
  public interface Work<T, U> extends Serializable {
    Iterator<U> run(TaskContext context, Partitions<T> partitions);
  }

  /** The partitions that a task can read: its own, at {@code index}, and any other. */
  public interface Partitions<T> {
    int index();

    int count();

    Iterator<T> read(int partition);
  }

  /** The partition of a task, which comes with it; others are fetched when they are read. */
  record Own(int index, Partition partition) implements Serializable {}

  private record OfTask<T>(
      RDD<T> parent, Own own, Broadcast<Partition[]> all, int count, TaskContext context)
      implements Partitions<T> {
    @Override
    public int index() {
      return own.index();
    }

    @Override
    public Iterator<T> read(int partition) {
      boolean others = partition != own.index();
      return parent.iterator(others ? all.value()[partition] : own.partition(), context);
    }
  }

  /** Returns the only partition of an input, which can be read once. */
  public static <T> Partitions<T> only(Iterator<T> rows) {
    return new Partitions<>() {
      @Override
      public int index() {
        return 0;
      }

      @Override
      public int count() {
        return 1;
      }

      @Override
      public Iterator<T> read(int partition) {
        return rows;
      }
    };
  }

  /**
   * Creates an RDD with the partitions of its parent.
   *
   * @param parents the parent's partitions, in the order in which they follow each other
   * @param work what each task does
   * @param tag the class of what tasks return
   */
  public ReadAheadRdd(RDD<T> parent, Partition[] parents, Work<T, U> work, ClassTag<U> tag) {
    super(
        parent,
        parents,
        IntStream.rangeClosed(0, parents.length).toArray(),
        IntStream.range(0, parents.length).mapToObj(i -> new Own(i, parents[i])).toList(),
        reading(
            parent,
            parent.sparkContext().broadcast(parents, ScalaInterop.tag(Partition[].class)),
            parents.length,
            work),
        tag);
  }

  private static <T, U> GroupedRdd.Work<T, Own, U> reading(
      RDD<T> parent, Broadcast<Partition[]> all, int count, Work<T, U> work) {
    return (context, own, units) ->
        work.run(context, new OfTask<>(parent, own, all, count, context));
  }
}
