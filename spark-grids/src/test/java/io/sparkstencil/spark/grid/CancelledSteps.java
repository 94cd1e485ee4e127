/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.SparkSession;

/** Steps of a grid whose jobs are cancelled. */
final class CancelledSteps {
  private CancelledSteps() {}

  /**
   * Takes very many steps, cancels their jobs, and checks that this is what the steps fail with.
   *
   * @param begun counted down by the grid's listener when a superstep is done
   */
  static void require(SparkSession spark, StencilGrid grid, CountDownLatch begun)
      throws InterruptedException {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<StencilGrid> stepping =
          threads.submit(
              () -> {
                spark.sparkContext().setJobGroup("cancelled", "to be cancelled", true);
                return grid.step(1_000_000);
              });
      begun.await();
      while (!stepping.isDone()) {
        spark.sparkContext().cancelJobGroup("cancelled");
        Thread.sleep(5);
      }
      assertThatThrownBy(stepping::get).hasStackTraceContaining("cancelled");
    } finally {
      threads.shutdownNow();
    }
  }
}
