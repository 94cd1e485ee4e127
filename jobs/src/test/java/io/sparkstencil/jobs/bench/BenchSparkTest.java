/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.imageio.ImageIO;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

final class BenchSparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  @Test
  void timesEveryWindowByEveryContenderAndLeavesSparkAsItWas() throws IOException {
    SPARK.session().conf().set("spark.stencil.engine", "auto");
    Path to = folder.resolve("new");

    CommandRun run =
        CommandRun.of("bench", "--rows", "3000", "--seconds", "0.1", "--folder", to.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("3,000 rows", "running sum, one series", "Spark", "cpu", " x)")
        .contains("written " + to.resolve("bench.json"), to.resolve("bench.png").toString());
    JsonNode report = new ObjectMapper().readTree(to.resolve("bench.json").toFile());
    Set<String> measured = new TreeSet<>();
    for (JsonNode result : report.get("results")) {
      measured.add(result.get("workload").asText() + " " + result.get("contender").asText());
      assertThat(result.get("seconds").get(0).asDouble()).isPositive();
      assertThat(result.get("timesSpark").asDouble()).isPositive();
    }
    for (Workload workload : Workload.values()) {
      assertThat(measured).contains(workload.name() + " Spark", workload.name() + " cpu");
    }
    assertThat(report.get("place").get("slots").asInt()).isEqualTo(2);
    BufferedImage picture = ImageIO.read(to.resolve("bench.png").toFile());
    assertThat(picture.getWidth()).isEqualTo(1200);
    assertThat(SPARK.session().conf().get("spark.stencil.engine")).isEqualTo("auto");
    assertThat(SPARK.session().conf().getOption("spark.stencil.sql.enabled").isEmpty()).isTrue();
  }

  @Test
  void plansOfContendersDiffer() {
    String query = Workload.ONE_SERIES.query(3000);

    assertThat(plan(query)).contains("Stencil [");
    SPARK.session().conf().set("spark.stencil.sql.enabled", "false");
    try {
      assertThat(plan(query)).doesNotContain("Stencil [").contains("Window [");
    } finally {
      SPARK.session().conf().unset("spark.stencil.sql.enabled");
    }
  }

  private static String plan(String query) {
    List<Row> lines = SPARK.session().sql("EXPLAIN " + query).collectAsList();
    return lines.get(0).getString(0);
  }

  @Test
  void refusesResultsThatDiffer() {
    assertThatThrownBy(() -> BenchRun.requireSame(Workload.RUNNING, Contender.SPARK, 1L, 2L))
        .isInstanceOf(StencilException.class)
        .hasMessageContaining("results of Spark differ")
        .hasMessageContaining("digest 2, not 1");
  }

  @Test
  void refusesWhatCannotBeTimed() {
    assertThat(CommandRun.of("bench", "--rows", "10").exitCode()).isEqualTo(2);
    CommandRun run = CommandRun.of("bench", "--seconds", "0");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--seconds 0.0; use more than 0");
  }

  @Test
  void theMedianOfTwoIsTheFaster() {
    assertThat(new Timing(Workload.RUNNING, "cpu", List.of(3.0, 1.0)).median()).isEqualTo(1.0);
    assertThat(new Timing(Workload.RUNNING, "cpu", List.of(3.0, 1.0, 2.0)).median()).isEqualTo(2.0);
  }
}
