/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.source.StencilRun;
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

  /** What comes before addresses may be a header of the request, which anyone can send. */
  @Test
  void theBeginningOfAddressesStaysWithinItsAttribute() {
    List<StencilActivity.Query> queries =
        List.of(new StencilActivity.Query("7", "smooth", false, 1500, 0, List.of(run(0, 4096))));

    assertThat(new ActivityPage("/x\"><script>alert(1)</script>").html(queries, List.of()))
        .contains(
            "<a href=\"/x&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;/SQL/execution/?id=7\">7</a>")
        .doesNotContain("<script>");
    for (String base : List.of("javascript:alert(1)//", "data:text/html,", "//elsewhere")) {
      assertThat(new ActivityPage(base).html(queries, List.of()))
          .contains("<a href=\"/SQL/execution/?id=7\">7</a>");
    }
    for (String base : List.of("", "/proxy/app-1", "https://host/spark/proxy/app-1")) {
      assertThat(new ActivityPage(base).html(queries, List.of()))
          .contains("<a href=\"" + base + "/SQL/execution/?id=7\">7</a>");
    }
  }
}
