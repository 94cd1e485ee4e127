/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.bench;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.Engines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A way of running windows.
 *
 * @param name as in tables
 * @param settings the values of Spark's configuration that choose it
 */
record Contender(String name, Map<String, String> settings) {
  /** Spark without this library, with which others are compared. */
  static final Contender SPARK =
      new Contender("Spark", Map.of("spark.stencil.sql.enabled", "false"));

  /**
   * Returns Spark, and each engine that works on this machine. On a cluster, whose executors have
   * other devices, the engine is left to each task.
   */
  static List<Contender> all(boolean onCluster) {
    List<Contender> all = new ArrayList<>(List.of(SPARK));
    if (onCluster) {
      all.add(of(Engines.AUTO));
      return all;
    }
    for (EngineProvider provider : Engines.discover()) {
      if (!provider.name().equals(Engines.REFERENCE) && provider.unavailableReason().isEmpty()) {
        all.add(of(provider.name()));
      }
    }
    return all;
  }

  private static Contender of(String engine) {
    return new Contender(
        engine, Map.of("spark.stencil.sql.enabled", "true", "spark.stencil.engine", engine));
  }
}
