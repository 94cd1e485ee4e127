/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.windows;

import static org.assertj.core.api.Assertions.assertThat;

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
    "q12, 0", "q20, 0", "q36, 0", "q44, 2", "q47, 0", "q49, 6", "q51, 0", "q53, 0", "q57, 0",
    "q63, 0", "q67, 0", "q70, 0", "q86, 0", "q89, 0", "q98, 0"
  })
  void sameAsSpark(String query, int ours) throws IOException {
    String sql = Files.readString(GoldenFile.FOLDER.resolve("tpcds/" + query + ".sql"));
    GoldenSession.Result expected = plain.run(sql);
    GoldenSession.Result result = stencils.run(sql);
    assertThat(result.rows()).isEqualTo(expected.rows()).isNotEmpty();
    assertThat(WindowPlans.ours(result.plan())).hasSize(ours);
  }
}
