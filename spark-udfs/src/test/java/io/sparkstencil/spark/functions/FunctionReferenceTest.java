/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparkstencil.model.StandardStencils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class FunctionReferenceTest {
  @Test
  void thePageInDocsIsCurrent() throws IOException {
    Path page = Path.of("..", "docs", "functions.md");
    assertThat(Files.readString(page))
        .as("run FunctionReference with the argument docs/functions.md")
        .isEqualTo(FunctionReference.page());
  }

  /** What is outside is refused with the range, which the page says too. */
  @Test
  void rangesOfParametersAreThoseThatAreChecked() {
    assertThat(FunctionReference.page())
        .contains("which derivative, " + range(() -> StandardStencils.derivative(0, 2, 1)))
        .contains("even, " + range(() -> StandardStencils.derivative(1, 0, 1)))
        .contains("on each side, " + range(() -> StandardStencils.savitzkyGolay(0, 0)))
        .contains("the polynomial, " + range(() -> StandardStencils.savitzkyGolay(99, -1)));
  }

  private static String range(ThrowingCallable call) {
    Matcher range =
        Pattern.compile("\\[(\\d+), (\\d+)]").matcher(catchThrowable(call).getMessage());
    assertThat(range.find()).isTrue();
    return range.group(1) + " to " + range.group(2);
  }

  @Test
  void everyFunctionHasAnExampleForItsDefaultBoundary() {
    for (SqlFunction function : SqlFunction.all()) {
      assertThat(function.text().examples()).as(function.sqlName()).isNotEmpty();
      assertThat(FunctionReference.page()).contains("### " + function.sqlName());
    }
  }
}
