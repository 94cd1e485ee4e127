/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

final class PerformancePageTest {
  private static final Path HOME = Path.of(System.getProperty("stencil.home"));
  private static final String REMEDY =
      "stale; in the project's folder run: java -cp"
          + " benchmarks/target/classes:$(cat benchmarks/target/class-path.txt)"
          + " io.sparkstencil.benchmarks.page.PerformancePage .";

  private static final PerformancePage PAGE = new PerformancePage(HOME);

  @Test
  void thePageIsThatOfTheResults() throws IOException {
    assertThat(Files.readString(HOME.resolve("docs/performance.md")))
        .as("docs/performance.md is %s", REMEDY)
        .isEqualTo(PAGE.text());
  }

  @Test
  void theReadmesFiguresAreThoseOfTheResults() throws IOException {
    String readme = Files.readString(HOME.resolve("README.md"));

    assertThat(readme).as("README.md is %s", REMEDY).isEqualTo(PAGE.readme(readme));
    assertThat(PerformancePage.withoutFigures(readme))
        .as("figures of performance outside the generated table")
        .doesNotContainPattern("\\d (times|[MG] (rows|cells|cell-steps)/s|GB/s|ns per)");
  }

  @Test
  void theChartsAreOfTheResults() throws IOException {
    for (Map.Entry<String, Element> chart : PAGE.charts().entrySet()) {
      String file = Files.readString(HOME.resolve("docs/images").resolve(chart.getKey()));
      String digest = chart.getValue().getAttribute(PerformanceCharts.FIGURES);
      assertThat(file)
          .as("%s is %s", chart.getKey(), REMEDY)
          .contains(PerformanceCharts.FIGURES + "=\"" + digest + "\"");
      assertThat(PAGE.text()).contains("images/" + chart.getKey());
    }
  }
}
