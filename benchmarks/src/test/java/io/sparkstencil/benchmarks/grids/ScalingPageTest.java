/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ScalingPageTest {
  private static final Path HOME = Path.of(System.getProperty("stencil.home"));

  @Test
  void thePageIsThatOfTheCostsAndTheResults() throws IOException {
    assertThat(Files.readString(HOME.resolve("docs/scaling.md")))
        .as("docs/scaling.md is written by io.sparkstencil.benchmarks.grids.ScalingPage HOME")
        .isEqualTo(new ScalingPage(HOME).text());
  }
}
