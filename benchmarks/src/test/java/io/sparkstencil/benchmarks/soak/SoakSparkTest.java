/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A short soak on the CPU: right results, nothing left open. */
final class SoakSparkTest {
  private static final int APPLICATIONS = 3;
  private static final int JOBS = 20;

  @Test
  @Timeout(150)
  void jobsWithFaultsAreRightAndLeaveNothingOpen() throws IOException {
    Soak.SoakOutcome outcome = new Soak("cpu", "local[2]", 3).run(APPLICATIONS, JOBS);

    assertThat(outcome.right()).isEqualTo(APPLICATIONS * JOBS);
    assertThat(outcome.faults()).isEqualTo(APPLICATIONS * JOBS / 10);
    assertThat(outcome.samples()).extracting(Soak.Sample::open).containsOnly(0);
    long heapBefore = outcome.samples().get(0).heapBytes();
    long heapAfter = outcome.samples().get(APPLICATIONS - 1).heapBytes();
    assertThat(heapAfter - heapBefore).as("growth of the heap").isLessThan(8L << 20);
  }

  @Test
  @Timeout(150)
  void gridsWithFaultsAreRightAndLeaveNothing() throws Exception {
    Soak.SoakOutcome outcome = new GridSoak("cpu", "local[2]", 5).run(2, 60);

    assertThat(outcome.right()).isEqualTo(2);
    assertThat(outcome.faults()).isEqualTo(10);
    assertThat(outcome.samples()).extracting(Soak.Sample::open).containsOnly(0);
    assertThat(outcome.samples()).extracting(Soak.Sample::diskBytes).containsOnly(0L);
  }

  @Test
  @Timeout(150)
  void gridsWhoseExecutorsAreKilledAreRightAndLeaveNothing() throws Exception {
    ClusterSoak.ClusterOutcome outcome = new ClusterSoak(512, 3).run(1, 60, 1);

    assertThat(outcome.right()).isEqualTo(1);
    assertThat(outcome.pushed()).isPositive();
    assertThat(outcome.executor()).extracting(ClusterSoak.ProcessLook::left).containsExactly(0);
    assertThat(outcome.executor().get(0).files()).isPositive();
    assertThat(outcome.executor().get(0).processBytes())
        .as("with all of its heap")
        .isGreaterThan(512L << 20);
  }
}
