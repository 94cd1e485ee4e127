/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import java.util.Map;

/** Settings of Spark's sessions that run many queries over few rows. */
public final class SmallQueries {
  /**
   * Whether code is compiled where that takes longer than to do without: with {@code
   * -Dstencil.testing.compiled=true}.
   */
  public static final boolean COMPILED = Boolean.getBoolean("stencil.testing.compiled");

  /** The settings by their keys. */
  public static final Map<String, Object> SETTINGS =
      Map.of(
          "spark.ui.enabled",
          "false",
          "spark.sql.shuffle.partitions",
          "4",
          // Or generated code asks the session's own loader for each class, over the network.
          "spark.sql.artifact.isolation.enabled",
          "false",
          // Spark describes each plan in words for its user interface; few of them are quick.
          "spark.sql.ui.explainMode",
          "simple",
          "spark.sql.debug.maxToStringFields",
          "3",
          // Tables of tests are small, and are to be spread all the same.
          "spark.stencil.sql.smallBytes",
          "0");

  private SmallQueries() {}
}
