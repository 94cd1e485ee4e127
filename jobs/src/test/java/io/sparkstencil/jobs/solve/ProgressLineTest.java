/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.grid.GridProgress;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class ProgressLineTest {
  private final StringWriter terminal = new StringWriter();

  @Test
  void saysStepsRateAndRemainingTime() {
    ProgressLine line =
        new ProgressLine(new PrintWriter(terminal), new PrintWriter(terminal), 1e6, 4000);

    assertThat(line.text(1000, 2)).isEqualTo("1,000 of 4,000 steps, 500 M cell-steps/s, 6 s left");
  }

  @Test
  void countsOnlyTheStepsOfThisRunIntoTheRate() {
    ProgressLine line =
        new ProgressLine(new PrintWriter(terminal), new PrintWriter(terminal), 1e6, 4000);
    line.progressed(new GridProgress(1500, 500, 3000, 1, 5e8));

    assertThat(line.text(2000, 2)).isEqualTo("2,000 of 4,000 steps, 500 M cell-steps/s, 4 s left");
  }

  @Test
  void writesOneLineAndRemovesIt() {
    ProgressLine line =
        new ProgressLine(new PrintWriter(terminal), new PrintWriter(terminal), 1e6, 4000);
    line.progressed(new GridProgress(1, 1, 4000, 1, 1e6));
    line.progressed(new GridProgress(2, 2, 4000, 1, 1e6));
    line.end();

    assertThat(terminal.toString()).contains("1 of 4,000").doesNotContain("\n").endsWith("\r");
  }

  @Test
  void isSilentWithoutATerminal() {
    ProgressLine line = new ProgressLine(null, null, 1e6, 4000);
    line.progressed(new GridProgress(1, 1, 4000, 1, 1e6));
    line.end();

    assertThat(terminal.toString()).isEmpty();
  }
}
