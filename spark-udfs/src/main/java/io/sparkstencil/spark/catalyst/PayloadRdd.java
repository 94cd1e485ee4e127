/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;

/**
 * An RDD that hands each partition a value of its own, which travels with that partition's task
 * alone and not with the binary that all tasks get.
 */
final class PayloadRdd<T, P extends Serializable, U> extends RDD<U> {
  private static final long serialVersionUID = 1L;

  private final RDD<T> parent;
  private final transient List<P> payloads;
  private final Work<T, P, U> work;

  /** What a task does. */
  interface Work<T, P, U> extends Serializable {
    Iterator<U> run(TaskContext context, P payload, Iterator<T> rows);
  }

  private record WithPayload(Partition parent, Serializable payload) implements Partition {
    @Override
    public int index() {
      return parent.index();
    }

    @Override
    public int hashCode() {
      return index();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof WithPayload that && that.index() == index();
    }
  }

  PayloadRdd(RDD<T> parent, List<P> payloads, Work<T, P, U> work, ClassTag<U> tag) {
    super(
        parent.sparkContext(),
        ScalaInterop.<Dependency<?>>seqOf(new OneToOneDependency<>(parent)),
        tag);
    this.parent = parent;
    this.payloads = payloads;
    this.work = work;
  }

  @Override
  public Partition[] getPartitions() {
    Partition[] parents = parent.partitions();
    Partition[] made = new Partition[parents.length];
    for (int i = 0; i < made.length; i++) {
      made[i] = new WithPayload(parents[i], payloads.get(i));
    }
    return made;
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    return parent.preferredLocations(((WithPayload) split).parent());
  }

  @Override
  public Option<org.apache.spark.Partitioner> partitioner() {
    return Option.empty();
  }

  @Override
  @SuppressWarnings("unchecked") // made with a P in getPartitions
  public Iterator<U> compute(Partition split, TaskContext context) {
    WithPayload with = (WithPayload) split;
    return work.run(context, (P) with.payload(), parent.iterator(with.parent(), context));
  }
}
