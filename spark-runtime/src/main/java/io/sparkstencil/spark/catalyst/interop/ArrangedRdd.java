/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.Partitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.datasources.FilePartition;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;

/** The rows of files, whose splits are grouped into other partitions than those of the parent. */
public final class ArrangedRdd<T> extends RDD<T> {
  private static final long serialVersionUID = 1L;

  private final RDD<T> parent;
  private final transient Partition[] partitions;

  /**
   * Creates the RDD.
   *
   * @param parent reads what it is told to read, as all that is made of files row by row
   * @param partitions what it is to read: {@link FilePartition}s, numbered from 0 on
   */
  public ArrangedRdd(RDD<T> parent, Partition[] partitions, ClassTag<T> tag) {
    super(
        parent.sparkContext(),
        ScalaInterop.<Dependency<?>>seqOf(new OtherPartitions<>(parent)),
        tag);
    this.parent = parent;
    this.partitions = partitions.clone();
  }

  @Override
  public Partition[] getPartitions() {
    return partitions.clone();
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    return ScalaInterop.seqOf(((FilePartition) split).preferredLocations());
  }

  @Override
  public Option<Partitioner> partitioner() {
    return Option.empty();
  }

  @Override
  public Iterator<T> compute(Partition split, TaskContext context) {
    return parent.iterator(split, context);
  }

  /** None of the parent's own partitions is read. */
  private static final class OtherPartitions<T> extends NarrowDependency<T> {
    private static final long serialVersionUID = 1L;

    OtherPartitions(RDD<T> parent) {
      super(parent);
    }

    @Override
    public Seq<Object> getParents(int partition) {
      return ScalaInterop.seqOf();
    }
  }
}
