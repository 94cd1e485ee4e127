/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;

/**
 * An RDD each of whose tasks reads a partition of its parent and then as many rows of the following
 * partitions as it needs. Nothing is exchanged: the first rows of a partition are read by the task
 * before as well.
 */
public final class ReadAheadRdd<T, U> extends RDD<U> {
  private static final long serialVersionUID = 1L;

  private final RDD<T> parent;
  private final Broadcast<Partition[]> parents;
  private final int count;
  private final Work<T, U> work;

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

  private record Indexed(int index, Partition own) implements Partition {
    @Override
    public int hashCode() {
      return index;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Indexed that && that.index == index;
    }
  }

  /**
   * Creates an RDD with the partitions of its parent.
   *
   * @param parents the parent's partitions, in the order in which they follow each other
   * @param work what each task does
   * @param tag the class of what tasks return
   */
  public ReadAheadRdd(RDD<T> parent, Partition[] parents, Work<T, U> work, ClassTag<U> tag) {
    super(parent.sparkContext(), ScalaInterop.<Dependency<?>>seqOf(new Following<>(parent)), tag);
    this.parent = parent;
    this.count = parents.length;
    this.parents = parent.sparkContext().broadcast(parents, ScalaInterop.tag(Partition[].class));
    this.work = work;
  }

  @Override
  public Partition[] getPartitions() {
    Partition[] made = new Partition[count];
    for (int i = 0; i < count; i++) {
      made[i] = new Indexed(i, parents.value()[i]);
    }
    return made;
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    return parent.preferredLocations(((Indexed) split).own());
  }

  @Override
  public Option<org.apache.spark.Partitioner> partitioner() {
    return Option.empty();
  }

  @Override
  public Iterator<U> compute(Partition split, TaskContext context) {
    Indexed indexed = (Indexed) split;
    return work.run(
        context,
        new Partitions<>() {
          @Override
          public int index() {
            return indexed.index();
          }

          @Override
          public int count() {
            return count;
          }

          @Override
          public Iterator<T> read(int partition) {
            Partition wanted =
                partition == indexed.index() ? indexed.own() : parents.value()[partition];
            return parent.iterator(wanted, context);
          }
        });
  }

  private static final class Following<T> extends NarrowDependency<T> {
    private static final long serialVersionUID = 1L;

    Following(RDD<T> rdd) {
      super(rdd);
    }

    @Override
    public Seq<Object> getParents(int partition) {
      return ScalaInterop.seqOf(partition);
    }
  }
}
