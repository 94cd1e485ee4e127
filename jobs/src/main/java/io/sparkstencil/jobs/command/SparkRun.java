/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import org.apache.spark.sql.SparkSession;

/**
 * Spark for as long as a command runs.
 *
 * @param session the way to it
 * @param started whether the command started it, and so stops it
 */
public record SparkRun(SparkSession session, boolean started) implements AutoCloseable {
  @Override
  public void close() {
    if (started) {
      session.stop();
    }
  }
}
