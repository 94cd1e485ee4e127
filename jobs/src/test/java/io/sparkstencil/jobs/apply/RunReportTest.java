/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RunReportTest {
  @Test
  void leavesOutARateThatWouldBePrintedAsZero() {
    assertThat(RunReport.rate(0)).isEmpty();
    assertThat(RunReport.rate(0.4)).isEmpty();
    assertThat(RunReport.rate(1234.4)).isEqualTo("; 1,234 results per second");
  }
}
