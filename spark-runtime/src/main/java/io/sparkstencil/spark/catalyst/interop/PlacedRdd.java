/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/**
 * An RDD with one element per partition of its parent, whose tasks should run where the driver says
 * and read their partition of the parent only if they have to.
 */
public final class PlacedRdd<T, U> extends RDD<U> {
  private static final long serialVersionUID = 1L;

  private final RDD<T> parent;
  private final transient List<String> locations;
  private final PartitionTask<T, U> work;

  /** What a task does. */
  @FunctionalInterface
  public interface PartitionTask<T, U> extends Serializable {
    /**
     * Returns the element of a partition.
     *
     * @param parent gives the elements of that partition of the parent, computed when asked
     */
    U run(TaskContext context, int partition, Supplier<java.util.Iterator<T>> parent);
  }

  /**
   * Returns an RDD.
   *
   * @param locations a preferred location for each partition; null for that of the parent's
   * @param type the class of the elements
   */
  public static <T, U> JavaRDD<U> of(
      JavaRDD<T> parent, List<String> locations, PartitionTask<T, U> work, Class<U> type) {
    return new PlacedRdd<>(
            parent.rdd(),
            ScalaInterop.<Dependency<?>>seqOf(new OneToOneDependency<>(parent.rdd())),
            locations,
            work,
            ScalaInterop.tag(type))
        .toJavaRDD();
  }

  /**
   * Returns an RDD whose tasks keep things under the name of another, which its jobs make known.
   *
   * @param kept that other, with as many partitions
   * @param locations a preferred location for each partition; null for that of the parent's
   * @param type the class of the elements
   */
  public static <T, U> JavaRDD<U> of(
      JavaRDD<T> parent,
      StorageRdd kept,
      List<String> locations,
      PartitionTask<T, U> work,
      Class<U> type) {
    return new PlacedRdd<>(
            parent.rdd(),
            ScalaInterop.<Dependency<?>>seqOf(
                new OneToOneDependency<>(parent.rdd()), new OneToOneDependency<>(kept)),
            locations,
            work,
            ScalaInterop.tag(type))
        .toJavaRDD();
  }

  /**
   * Returns for how many nanoseconds Spark has a task wait until the executor has a core that it
   * should run on, before it runs it elsewhere.
   */
  public static long waitNanos(SparkContext context) {
    SparkConf conf = context.getConf();
    String all = conf.get("spark.locality.wait", "3s");
    return TimeUnit.MILLISECONDS.toNanos(conf.getTimeAsMs("spark.locality.wait.process", all));
  }

  /**
   * Puts the elements of a partition into this executor, where a persisted RDD of that number finds
   * them. Those that are there already stay.
   *
   * @param id the number of the RDD
   */
  public static <U> void keep(
      int id, int partition, java.util.Iterator<U> elements, Class<U> type) {
    BlockManager manager = SparkEnv.get().blockManager();
    RDDBlockId name = new RDDBlockId(id, partition);
    if (manager.getStatus(name).isEmpty()) {
      manager.putIterator(
          name,
          CollectionConverters.asScala(elements),
          StorageLevel.MEMORY_AND_DISK(),
          true,
          ScalaInterop.tag(type));
    }
  }

  private PlacedRdd(
      RDD<T> parent,
      Seq<Dependency<?>> dependencies,
      List<String> locations,
      PartitionTask<T, U> work,
      ClassTag<U> tag) {
    super(parent.sparkContext(), dependencies, tag);
    this.parent = parent;
    this.locations = locations;
    this.work = work;
  }

  @Override
  public Partition[] getPartitions() {
    return parent.partitions();
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    String location = locations.get(split.index());
    return location == null ? parent.preferredLocations(split) : ScalaInterop.seqOf(location);
  }

  @Override
  public Option<Partitioner> partitioner() {
    return Option.empty();
  }

  @Override
  public Iterator<U> compute(Partition split, TaskContext context) {
    U element =
        work.run(
            context,
            split.index(),
            () -> CollectionConverters.asJava(parent.iterator(split, context)));
    return ScalaInterop.seqOf(element).iterator();
  }
}
