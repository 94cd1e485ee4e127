/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkstencil.program.generate.Equations;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.Stencils;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import io.sparkstencil.testkit.FaultPlan;
import io.sparkstencil.testkit.FaultyEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What Spark's web server shows of stencils: a tab, and metrics for Prometheus. */
final class StencilTabSparkTest {
  private static final Pattern ROW = Pattern.compile("<tr>(.*?)</tr>");
  private static final Pattern METRIC =
      Pattern.compile("StencilPlugin_([A-Za-z0-9_]+?)_(Count|Value|Number)\\{");

  private static final FaultPlan PLAN = FaultPlan.ofProcess();

  private static SparkSession spark;

  @BeforeAll
  static void start() throws Exception {
    PLAN.enable(); // a device that is faster for much work
    spark =
        Sessions.builder("local[2]")
            .config("spark.ui.enabled", "true")
            .config("spark.ui.port", "0")
            .config("spark.plugins", "io.sparkstencil.spark.StencilPlugin")
            .config(
                "spark.metrics.conf.*.sink.prometheusServlet.class",
                "org.apache.spark.metrics.sink.PrometheusServlet")
            .config("spark.metrics.conf.*.sink.prometheusServlet.path", "/metrics/prometheus")
            .getOrCreate();
    Stencils.over(spark.range(0, 600_000, 1, 3).selectExpr("id AS t", "id * 1.5D AS v"))
        .orderBy("t")
        .ordered()
        .mean("v", 8, "m")
        .toDataset()
        .write()
        .format("noop")
        .mode("overwrite")
        .save();
    Stencils.over(spark.range(0, 1000).selectExpr("id AS t", "id * 1.5D AS v"))
        .orderBy("t")
        .engine("cpu")
        .mean("v", 2, "m")
        .toDataset()
        .collectAsList();
    spark.range(10).count(); // no stencil
    try (StencilGrid grid =
        StencilGrids.builder(spark, Equations.heat(2, 2, 1, 1, 0.1))
            .extent(12, 10)
            .field("u", at -> at[0] + at[1])
            .blocks(2)
            .stepsPerExchange(2)
            .create()) {
      grid.step(6);
    }
    spark.sparkContext().listenerBus().waitUntilEmpty(30_000);
  }

  @AfterAll
  static void stop() {
    spark.stop();
    PLAN.reset();
  }

  @Test
  void showsQueriesWithTheirEnginesAndReasons() throws Exception {
    String page = fetch("/stencil/");
    List<String> rows = rows(page, "stencil-queries");

    assertThat(page).contains("Queries (2)").contains("Stencils");
    assertThat(fetch("/jobs/")).as("Spark's own pages lead to it").contains("/stencil/");
    assertThat(rows).hasSize(2);
    assertThat(rows.get(0))
        .containsPattern("/SQL/execution/\\?id=\\d+") // counted in the process
        .contains("<td>done</td>")
        .containsPattern("cpu: [1-9]\\d* tasks?")
        .containsPattern("requested: [1-9]\\d* tasks?")
        .contains("<td>1,000</td><td>1,000</td>")
        .endsWith("<td></td><td></td><td></td><td></td><td>0</td>"); // no GPU, no fallbacks
  }

  @Test
  void showsTheDeviceMemoryOfTheTaskWithTheMost() throws Exception {
    String row = rows(fetch("/stencil/"), "stencil-queries").get(1);

    // Each of the three tasks has a batch of cells and one of results on the device at a time.
    double most = 2.0 * FaultyEngine.BATCH_BYTES / (1 << 20);
    Matcher shown = Pattern.compile("<td>([\\d.]+) MiB</td><td>[^<]*</td>").matcher(row);
    assertThat(row).contains("device estimated faster: 3 tasks");
    assertThat(shown.find()).as(row).isTrue();
    assertThat(Double.parseDouble(shown.group(1))).isBetween(most / 2, most);
  }

  @Test
  void showsGridsWithTheirSupersteps() throws Exception {
    List<String> rows = rows(fetch("/stencil/"), "stencil-grids");

    assertThat(rows).hasSize(1);
    assertThat(rows.get(0))
        .contains("[12, 10] of F64")
        .contains("<td>closed</td><td>2</td><td>2</td><td>cpu</td><td>6</td><td>0</td>");
  }

  /** A browser makes tables of what the server sends, as {@link #rows} expects of its text. */
  @Test
  void aBrowserShowsTheTables() throws Exception {
    Optional<Path> browser =
        Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(browser.isPresent(), "no browser is installed");
    Process shown =
        new ProcessBuilder(
                browser.get().toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--dump-dom",
                spark.sparkContext().uiWebUrl().get() + "/stencil/")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String page = new String(shown.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(shown.waitFor()).isZero();
    assertThat(rows(page, "stencil-queries")).hasSize(2).first().asString().contains("cpu: ");
    assertThat(rows(page, "stencil-grids")).hasSize(1).first().asString().contains("[12, 10]");
  }

  /** The names in the documentation are those that Spark's Prometheus sink has, and all of them. */
  @Test
  void documentsTheNamesOfMetrics() throws Exception {
    Set<String> served = new TreeSet<>();
    Matcher metric = METRIC.matcher(fetch("/metrics/prometheus/"));
    while (metric.find()) {
      served.add(metric.group(1));
    }
    served.remove("partitions_" + FaultyEngine.NAME);
    String page = Files.readString(Path.of("../docs/operations.md"));
    String table = page.substring(page.indexOf("## Metrics"), page.indexOf("## Shutdown"));
    Set<String> documented = new TreeSet<>();
    Matcher name =
        Pattern.compile("`([a-zA-Z]+(\\.[a-zA-Z_]+)*)(\\.<KIND>)?`")
            .matcher(
                table
                    .lines()
                    .filter(line -> line.startsWith("| `"))
                    .map(line -> line.split("\\|")[1])
                    .collect(Collectors.joining("\n")));
    while (name.find()) {
      documented.add(name.group(1).replace('.', '_'));
    }

    assertThat(served).contains("cells", "partitions_cpu", "choices_ASKED_FOR", "grids_blocks");
    assertThat(documented)
        .containsAll(
            served.stream()
                .map(each -> each.startsWith("fallbacks") ? "fallbacks" : each)
                .collect(Collectors.toSet()));
    documented.removeAll(
        Set.of("partitions_gpu", "fallbacks", "grids_pushedBytes")); // no reason for them here
    assertThat(served).containsAll(documented);
  }

  private static List<String> rows(String page, String table) {
    String from = page.substring(page.indexOf("id=\"" + table + "\""));
    Matcher row = ROW.matcher(from.substring(from.indexOf("<tbody>"), from.indexOf("</tbody>")));
    return row.results().map(found -> found.group(1)).toList();
  }

  private static String fetch(String path) throws IOException, InterruptedException {
    String address = spark.sparkContext().uiWebUrl().get() + path;
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(address)).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(address).isEqualTo(200);
    return answer.body();
  }
}
