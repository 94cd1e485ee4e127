/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.Utils;

/**
 * What tasks find, on its way to the driver as bytes of Java's serialization: those any serializer
 * of the session can write, also where classes have to be registered.
 */
public final class TaskFindings {
  private TaskFindings() {}

  /** Returns the elements of all partitions in order, which is a job. */
  public static <T extends Serializable> List<T> of(RDD<T> elements) {
    return of(elements, IntStream.range(0, elements.getNumPartitions()).toArray());
  }

  /** Returns the elements of some partitions, which is a job. */
  public static <T extends Serializable> List<T> of(RDD<T> elements, int[] partitions) {
    PartitionEvaluatorFactory<T, byte[]> packing =
        () -> (index, inputs) -> inputs.apply(0).map(Utils::serialize);
    JavaRDD<byte[]> packed =
        elements.mapPartitionsWithEvaluator(packing, ScalaInterop.tag(byte[].class)).toJavaRDD();
    // Not the thread's, which in the JDK's common pool knows no jars of the session.
    ClassLoader classes = TaskFindings.class.getClassLoader();
    List<T> found = new ArrayList<>();
    for (List<byte[]> each : packed.collectPartitions(partitions)) {
      each.forEach(one -> found.add(Utils.deserialize(one, classes)));
    }
    return found;
  }
}
