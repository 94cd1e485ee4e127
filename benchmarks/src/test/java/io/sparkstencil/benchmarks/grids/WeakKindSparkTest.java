/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.benchmarks.harness.LocalSpark;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

final class WeakKindSparkTest {
  @Test
  void facesGoTheWayThatTheRowSays() {
    List<WeakKind> kinds = WeakKind.of(2);

    assertThat(kinds)
        .extracting(WeakKind::path)
        .containsExactly(
            "", "peer", "shared", "shared", "shared", "pushed", "pushed", "pushed", "log");
    assertThat(kinds).extracting(WeakKind::subject).doesNotHaveDuplicates();
    assertThat(kinds)
        .allSatisfy(
            kind ->
                assertThat(kind.settings())
                    .containsEntry(
                        "spark.stencil.grid.push.enabled",
                        Boolean.toString(!kind.path().equals("log")))
                    .containsEntry(
                        "spark.stencil.grid.ipc.enabled",
                        Boolean.toString(!kind.subject().contains("off"))));
    assertThat(kinds)
        .filteredOn(kind -> kind.settings().containsKey("spark.network.crypto.enabled"))
        .singleElement()
        .satisfies(kind -> assertThat(kind.subject()).contains("AES"));
  }

  @Test
  void theTimeOfCoresIsThatOfAllThreads() throws Exception {
    try (SparkSession spark = LocalSpark.session("cores", "local[1]").getOrCreate()) {
      ExecutorsCpu cpu = new ExecutorsCpu(spark, 1);
      Thread worker = new Thread(WeakKindSparkTest::work);
      worker.start();
      worker.join();

      assertThat(cpu.seconds()).isBetween(0.2, 60.0);
    }
  }

  private static void work() {
    long start = System.nanoTime();
    while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(400)) {
      Thread.onSpinWait();
    }
  }
}
