/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.Partition;
import org.apache.spark.SerializableWritable;
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
  public interface ReadAheadTask<T, U> extends Serializable {
    Iterator<U> run(TaskContext context, Partitions<T> partitions);
  }

  /**
   * The partitions that a task can read.
   *
   * @param index its own
   * @param count how many there are
   * @param reader reads a partition, its own or any other
   */
  public record Partitions<T>(int index, int count, IntFunction<Iterator<T>> reader) {
    /** Reads a partition. */
    public Iterator<T> read(int partition) {
      return reader.apply(partition);
    }
  }

  /** The partition of a task, which comes with it; others are fetched when they are read. */
  record Own(int index, Partition partition) implements Serializable {}

  /**
   * Creates an RDD with the partitions of its parent.
   *
   * @param parents the parent's partitions, in the order in which they follow each other
   * @param work what each task does
   * @param tag the class of what tasks return
   */
  public ReadAheadRdd(
      RDD<T> parent, Partition[] parents, ReadAheadTask<T, U> work, ClassTag<U> tag) {
    super(
        parent,
        parents,
        consecutive(IntStream.rangeClosed(0, parents.length).toArray()),
        IntStream.range(0, parents.length).mapToObj(i -> new Own(i, parents[i])).toList(),
        reading(
            parent,
            parent.sparkContext().broadcast(Packed.of(parents), ScalaInterop.tag(Packed.type())),
            parents.length,
            work),
        tag);
  }

  private static <T, U> GroupTask<T, Own, U> reading(
      RDD<T> parent,
      Broadcast<SerializableWritable<Packed<Partition[]>>> all,
      int count,
      ReadAheadTask<T, U> work) {
    return (context, own, units) ->
        work.run(
            context,
            new Partitions<>(
                own.index(),
                count,
                wanted ->
                    parent.iterator(
                        wanted == own.index() ? own.partition() : Packed.open(all.value())[wanted],
                        context)));
  }
}
