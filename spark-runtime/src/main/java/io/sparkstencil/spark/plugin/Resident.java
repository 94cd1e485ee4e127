/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import com.codahale.metrics.MetricRegistry;

/**
 * What lives in a process from the first task that asks for it until the {@link ExecutorRuntime}
 * ends, such as the blocks of grids: the runtime holds it without knowing what it is. Safe for many
 * threads.
 */
public interface Resident {
  /** Adds gauges of what it holds to the metrics of the executor. */
  void show(MetricRegistry metrics);

  /**
   * Gives up all that it holds.
   *
   * @param patienceMillis how long tasks that use it are waited for: what others have left of it
   */
  void close(long patienceMillis);
}
