/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.jobs.CommandRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Errors against known solutions fall as the analysis of each scheme says. */
final class ConvergenceTest {
  @Test
  void errorsFallInTheOrderOfTheScheme() {
    CommandRun run = CommandRun.of("solve", "--convergence");

    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines.get(0).strip().split("\\s+"))
        .containsExactly("equation", "axes", "cells", "steps", "error", "order", "theory");
    int finest = 0;
    for (int i = 1; i < lines.size(); i++) {
      boolean last = i == lines.size() - 1 || cells(lines.get(i + 1)) <= cells(lines.get(i));
      if (last) {
        finest++;
        assertOrder(lines.get(i));
      }
    }
    assertThat(finest).as("heat, wave and advection with 1, 2 and 3 axes").isEqualTo(3 * 3);
  }

  private static int cells(String line) {
    return Integer.parseInt(line.split("\\s+")[2]);
  }

  private static void assertOrder(String line) {
    String[] columns = line.split("\\s+");
    boolean upwind = columns[0].equals("advection") && !columns[1].equals("1");
    assertThat(Integer.parseInt(columns[6])).as(line).isEqualTo(upwind ? 1 : 2);
    assertThat(Double.parseDouble(columns[5])).as(line).isEqualTo(upwind ? 1 : 2, within(0.1));
    assertThat(Double.parseDouble(columns[4])).as(line).isLessThan(0.1);
  }
}
