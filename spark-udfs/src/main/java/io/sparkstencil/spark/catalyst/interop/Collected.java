/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.reflect.ClassTag;

/** What tasks find, on its way to the driver, {@link Packed}. */
public final class Collected {
  private Collected() {}

  /** Returns the elements of all partitions in order, which is a job. */
  public static <T extends Serializable> List<T> of(RDD<T> elements) {
    return of(elements, IntStream.range(0, elements.getNumPartitions()).toArray());
  }

  /** Returns the elements of some partitions, which is a job. */
  public static <T extends Serializable> List<T> of(RDD<T> elements, int[] partitions) {
    PartitionEvaluatorFactory<T, Packed<T>> packing =
        () -> (index, inputs) -> inputs.apply(0).map(Packed::of);
    JavaRDD<Packed<T>> packed =
        elements
            .mapPartitionsWithEvaluator(packing, ClassTag.<Packed<T>>apply(Packed.class))
            .toJavaRDD();
    List<T> found = new ArrayList<>();
    for (List<Packed<T>> each : packed.collectPartitions(partitions)) {
      each.forEach(one -> found.add(one.value()));
    }
    return found;
  }
}
