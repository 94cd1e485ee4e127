/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import io.sparkstencil.spark.conf.StencilConf;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.internal.SQLConf;
import scala.jdk.javaapi.CollectionConverters;

/** Our options among the values of a session. */
public final class SessionOptions {
  private SessionOptions() {}

  /**
   * Returns the options as the running query's session has them.
   *
   * @throws io.sparkstencil.error.InvalidStencilException if one is wrong
   */
  public static StencilConf current() {
    Map<String, String> values =
        new HashMap<>(CollectionConverters.asJava(SQLConf.get().getAllConfs()));
    return StencilConf.of(values);
  }
}
