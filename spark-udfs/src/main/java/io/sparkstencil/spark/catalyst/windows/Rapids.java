/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.windows;

import java.util.Locale;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Whether the RAPIDS Accelerator plans queries. It computes windows with PARTITION BY on the GPU,
 * with the sort and exchange below them; without PARTITION BY it moves all rows to one task.
 */
final class Rapids {
  private static final String PLUGIN = "com.nvidia.spark.SQLPlugin";

  private Rapids() {}

  static boolean isActive() {
    SparkEnv environment = SparkEnv.get();
    return environment != null
        && isActive(environment.conf().get("spark.plugins", ""), SQLConf.get());
  }

  /** Tells whether RAPIDS plans queries, given the application's plugins and the session. */
  static boolean isActive(String plugins, SQLConf session) {
    for (String plugin : plugins.split(",", -1)) {
      if (plugin.strip().equals(PLUGIN)) {
        return isOn(session.getConfString("spark.rapids.sql.enabled", "true"))
            && !session
                .getConfString("spark.rapids.sql.mode", "executeongpu")
                .strip()
                .equalsIgnoreCase("explainonly");
      }
    }
    return false;
  }

  private static boolean isOn(String value) {
    return value.strip().toLowerCase(Locale.ROOT).equals("true");
  }
}
