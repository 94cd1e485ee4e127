/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.internal.SQLConf;
import scala.jdk.javaapi.CollectionConverters;

/** The session's settings that concern array functions. */
final class ArraySettings {
  /** The key that switches the batched operator, for a query. */
  static final String BATCHED = "spark.stencil.sql.arrays.enabled";

  private static final String PREFIX = "spark.stencil.";

  private ArraySettings() {}

  static boolean batched() {
    return Boolean.parseBoolean(SQLConf.get().getConfString(BATCHED, "true"));
  }

  static String engine() {
    return SQLConf.get().getConfString("spark.stencil.engine", "auto");
  }

  static Map<String, String> options() {
    Map<String, String> options = new HashMap<>();
    CollectionConverters.asJava(SQLConf.get().getAllConfs())
        .forEach(
            (key, value) -> {
              if (key.startsWith(PREFIX)) {
                options.put(key, value);
              }
            });
    return options;
  }
}
