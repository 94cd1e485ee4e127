/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class FunctionReferenceTest {
  @Test
  void thePageInDocsIsCurrent() throws IOException {
    Path page = Path.of("..", "docs", "functions.md");
    assertThat(Files.readString(page))
        .as("run FunctionReference with the argument docs/functions.md")
        .isEqualTo(FunctionReference.page());
  }

  @Test
  void everyFunctionHasAnExampleForItsDefaultBoundary() {
    for (SqlFunction function : SqlFunction.all()) {
      assertThat(function.text().examples()).as(function.sqlName()).isNotEmpty();
      assertThat(FunctionReference.page()).contains("### " + function.sqlName());
    }
  }
}
