/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.util.Locale;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Whether the RAPIDS Accelerator plans queries. It computes windows with PARTITION BY on the GPU,
 * with the sort and exchange below them; without PARTITION BY it moves all rows to one task.
 */
public final class Rapids {
  private static final String PLUGIN = "com.nvidia.spark.SQLPlugin";

  private Rapids() {}

  /** Tells whether it plans those of the running query's session. */
  public static boolean isActive() {
    return isActive(SQLConf.get());
  }

  /** Tells whether it plans those of {@code session}, which has the application's plugins. */
  static boolean isActive(SQLConf session) {
    for (String plugin : session.getConfString("spark.plugins", "").split(",", -1)) {
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
