/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.conf.OptionScope;
import io.sparkstencil.conf.OptionType;
import java.util.List;

/** Options of the CPU engine. */
public final class CpuOptions {
  /** Whether the Vector API is used. */
  public static final ConfigOption<String> VECTORS =
      ConfigOption.option("spark.stencil.cpu.vectors", OptionType.WORD, "auto")
          .oneOf(List.of("auto", "true", "false"))
          .scope(OptionScope.EXECUTOR_START)
          .since("0.1")
          .doc(
              "Whether the CPU engine uses the JDK's Vector API instead of plain loops. With"
                  + " auto, it does if the JVM was started with"
                  + " --add-modules=jdk.incubator.vector, as Spark starts its own JVMs, and is"
                  + " Java 25 or older: the API may change in later ones. Both give the same"
                  + " bits.");

  /** Every option of this engine. */
  public static final List<ConfigOption<?>> ALL = List.of(VECTORS);

  private CpuOptions() {}
}
