/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.Utils;

/** What tasks find, on its way to the driver. */
public final class Collected {
  private Collected() {}

  /**
   * Returns the elements of all partitions in order, which is a job. They come by Java's
   * serialization: the session's may be Kryo, which cannot read and write records.
   */
  public static <T extends Serializable> List<T> of(RDD<T> elements) {
    PartitionEvaluatorFactory<T, byte[]> packing =
        () -> (index, inputs) -> inputs.apply(0).map(Utils::serialize);
    byte[][] packed =
        (byte[][])
            elements.mapPartitionsWithEvaluator(packing, ScalaInterop.tag(byte[].class)).collect();
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    List<T> found = new ArrayList<>();
    for (byte[] each : packed) {
      found.add(Utils.deserialize(each, loader));
    }
    return found;
  }
}
