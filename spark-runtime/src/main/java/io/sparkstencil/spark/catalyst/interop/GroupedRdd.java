/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.Option;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;

/**
 * An RDD each of whose tasks reads some partitions of its parent, one after the other, and has a
 * value of its own, which travels with that task alone and not with the binary that all tasks get.
 */
public class GroupedRdd<T, P extends Serializable, U> extends RDD<U> {
  private static final long serialVersionUID = 1L;

  private final RDD<T> parent;
  private final transient Partition[] parents; // null for the parent's as they are
  private final transient List<P> payloads;
  private final int[][] groups;
  private final GroupTask<T, P, U> work;

  private record Group(int index, List<Partition> parents, Serializable payload)
      implements Partition {
    @Override
    public int hashCode() {
      return index;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Group that && that.index == index;
    }
  }

  /**
   * Creates the RDD.
   *
   * @param starts first partition of the parent for each group, and their total
   * @param payloads one for each group
   */
  public GroupedRdd(
      RDD<T> parent, int[] starts, List<P> payloads, GroupTask<T, P, U> work, ClassTag<U> tag) {
    this(parent, null, consecutive(starts), payloads, work, tag);
  }

  /**
   * Creates the RDD of groups that may have partitions in common.
   *
   * @param groups runs of partitions of the parent for each group, in order: the first of a run,
   *     and the one after its last
   * @param payloads one for each group
   */
  public GroupedRdd(
      RDD<T> parent, int[][] groups, List<P> payloads, GroupTask<T, P, U> work, ClassTag<U> tag) {
    this(parent, null, groups, payloads, work, tag);
  }

  /** Creates the RDD over the parent's partitions in another order. */
  GroupedRdd(
      RDD<T> parent,
      Partition[] parents,
      int[][] groups,
      List<P> payloads,
      GroupTask<T, P, U> work,
      ClassTag<U> tag) {
    super(
        parent.sparkContext(),
        ScalaInterop.<Dependency<?>>seqOf(new Groups<>(parent, groups)),
        tag);
    this.parent = parent;
    this.parents = parents;
    this.groups = groups;
    this.payloads = payloads;
    this.work = work;
  }

  /** Returns groups of consecutive partitions, each of which begins where the last one ends. */
  static int[][] consecutive(int[] starts) {
    int[][] groups = new int[starts.length - 1][];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = new int[] {starts[i], starts[i + 1]};
    }
    return groups;
  }

  @Override
  public Partition[] getPartitions() {
    Partition[] all = parents == null ? parent.partitions() : parents;
    Partition[] made = new Partition[groups.length];
    for (int i = 0; i < made.length; i++) {
      List<Partition> own = indexes(groups[i]).mapToObj(each -> all[each]).toList();
      made[i] = new Group(i, own, payloads.get(i));
    }
    return made;
  }

  /** Returns the partitions of a group. */
  private static IntStream indexes(int[] runs) {
    return IntStream.range(0, runs.length / 2)
        .flatMap(run -> IntStream.range(runs[2 * run], runs[2 * run + 1]));
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    return parent.preferredLocations(((Group) split).parents().get(0));
  }

  @Override
  public Option<org.apache.spark.Partitioner> partitioner() {
    return Option.empty();
  }

  @Override
  @SuppressWarnings("unchecked") // made with a P in getPartitions
  public Iterator<U> compute(Partition split, TaskContext context) {
    Group group = (Group) split;
    Iterator<Iterator<T>> units =
        new AbstractIterator<>() {
          private int next;

          @Override
          public boolean hasNext() {
            return next < group.parents().size();
          }

          @Override
          public Iterator<T> next() {
            return parent.iterator(group.parents().get(next++), context);
          }
        };
    return work.run(context, (P) group.payload(), units);
  }

  private static final class Groups<T> extends NarrowDependency<T> {
    private static final long serialVersionUID = 1L;
    private final int[][] groups;

    Groups(RDD<T> rdd, int[][] groups) {
      super(rdd);
      this.groups = groups;
    }

    @Override
    public Seq<Object> getParents(int partition) {
      return ScalaInterop.seqOf(indexes(groups[partition]).boxed().toArray());
    }
  }
}
