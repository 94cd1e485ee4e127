/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The queries of TPC-DS that have windows give what they give without us, over small tables. */
final class TpcdsWindowsSparkTest {
  private static GoldenSession plain;
  private static GoldenSession stencils;

  @BeforeAll
  static void start(@TempDir Path warehouse) {
    plain = GoldenSession.start(warehouse);
    plain.set("spark.sql.codegen.wholeStage", "false"); // compiling takes longer than running
    stencils = plain.another();
    stencils.set("spark.stencil.sql.enabled", "true");
    stencils.set("spark.sql.codegen.wholeStage", "false");
    plain.createTpcds(false);
    stencils.createTpcds(false);
  }

  @AfterAll
  static void stop() {
    plain.close();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "q12, 1", "q20, 1", "q36, 1", "q44, 2", "q47, 4", "q49, 6", "q51, 4", "q53, 1", "q57, 4",
    "q63, 1", "q67, 1", "q70, 2", "q86, 1", "q89, 1", "q98, 1"
  })
  void sameAsSpark(String query, int ours) throws IOException {
    String sql = Files.readString(GoldenFile.FOLDER.resolve("tpcds/" + query + ".sql"));
    GoldenSession.Result result = stencils.run(sql);
    assertThat(result.rows()).isNotEmpty();
    WindowPlans.areSparks(
        stencils.session(), "TPC-DS: " + sql, result.rows(), () -> plain.run(sql).rows());
    assertThat(WindowPlans.ours(result.plan())).hasSize(ours);
  }
}
