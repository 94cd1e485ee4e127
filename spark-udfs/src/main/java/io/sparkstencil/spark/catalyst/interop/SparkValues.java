/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import scala.Tuple2;
import scala.jdk.javaapi.OptionConverters;

/** What Spark gives out as Scala's types only. */
public final class SparkValues {
  private SparkValues() {}

  /** Returns all values of a configuration. */
  public static Map<String, String> of(SparkConf conf) {
    Map<String, String> values = new HashMap<>();
    for (Tuple2<String, String> entry : conf.getAll()) {
      values.put(entry._1(), entry._2());
    }
    return values;
  }

  /** Returns the running application's context, where this is its driver. */
  public static Optional<SparkContext> activeContext() {
    return OptionConverters.toJava(org.apache.spark.SparkContext$.MODULE$.getActive());
  }
}
