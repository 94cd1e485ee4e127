/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import java.util.stream.IntStream;
import org.apache.spark.Dependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import scala.collection.Iterator;

/**
 * An RDD that nobody computes: the name under which executors keep what Spark's storage page is to
 * show. RDDs whose jobs make it known depend on it.
 */
public final class StorageRdd extends RDD<byte[]> {
  private static final long serialVersionUID = 1L;

  private final int count;

  private StorageRdd(SparkContext context, int count) {
    super(
        context,
        ScalaInterop.<Dependency<?>>seqOf(new Dependency<?>[0]),
        ScalaInterop.tag(byte[].class));
    this.count = count;
  }

  /**
   * Returns an RDD that is persisted, though nothing is kept yet.
   *
   * @param name what the storage page calls it
   * @param count how many things are kept
   */
  public static StorageRdd of(SparkContext context, String name, int count) {
    StorageRdd made = new StorageRdd(context, count);
    made.setName(name);
    made.persist(StorageLevel.MEMORY_AND_DISK());
    return made;
  }

  /** Removes all that is kept, in the background, and the name from the storage page. */
  public void remove() {
    if (!sparkContext().isStopped()) {
      unpersist(false);
    }
  }

  @Override
  public Partition[] getPartitions() {
    return IntStream.range(0, count).mapToObj(Numbered::new).toArray(Partition[]::new);
  }

  @Override
  public Iterator<byte[]> compute(Partition split, TaskContext context) {
    throw new IllegalStateException("what executors keep for a grid is computed by its jobs");
  }

  private record Numbered(int index) implements Partition, Serializable {
    @Override
    public boolean equals(Object other) {
      return other instanceof Numbered numbered && numbered.index == index;
    }

    @Override
    public int hashCode() {
      return index;
    }
  }
}
