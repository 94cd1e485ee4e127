/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.inputs.StencilRun;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.junit.jupiter.api.Test;

/** What the page makes of counters, without Spark. */
final class ActivityPageTest {
  private static final long MEBIBYTE = 1 << 20;

  private static StencilRun run(long gpuTasks, long stagedBytes) {
    return new StencilRun(
        "7", Map.of("gpuTasks", metric(gpuTasks), "stagedBytes", metric(stagedBytes)));
  }

  private static SQLMetric metric(long value) {
    SQLMetric metric = new SQLMetric("sum", 0);
    metric.set(value);
    return metric;
  }

  private static String page(long deviceBytes, StencilRun... runs) {
    return new ActivityPage("")
        .html(
            List.of(
                new StencilActivity.Query("7", "smooth", false, 1500, deviceBytes, List.of(runs))),
            List.of());
  }

  @Test
  void operatorsAddUpBesideTheMemoryOfATask() {
    assertThat(page(3 * MEBIBYTE, run(2, 10 * MEBIBYTE), run(1, 4 * MEBIBYTE)))
        .contains("gpu: 3 tasks")
        .contains("<td>14.0 MiB</td><td>3.0 MiB</td>");
  }

  @Test
  void withoutAGpuItsColumnsStayEmpty() {
    assertThat(page(0, run(0, 4096))).contains("<td></td><td></td><td></td><td></td><td>0</td>");
  }
}
